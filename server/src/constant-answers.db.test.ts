import { expect, it } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { createStandIn } from '../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from './app.ts';
import { loadConfig } from './platform/config/load-config.ts';
import { createServices } from './services.ts';

it('sends constant answers from one place, so that their ETag is computed once', async () => {
  const test = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: test.url, LOG_LEVEL: 'silent' });
  const services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  const own = await buildApp(services);
  const sent: unknown[] = [];
  own.addHook('onSend', async (_request, _reply, payload) => {
    sent.push(payload);
    return payload;
  });

  for (const url of ['/openapi.yaml', '/docs', '/method', '/favicon.ico']) {
    await own.inject(url);
    await own.inject(url);
    const [first, second] = sent.splice(0);
    expect([url, Buffer.isBuffer(first), first === second]).toEqual([url, true, true]);
  }
  await own.close();
  await services.close();
  await test.close();
});
