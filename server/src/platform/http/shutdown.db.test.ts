import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { createStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';

it('a request on a connection that was taken before the stop is answered, and ends the connection', async () => {
  const test = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: 'silent' });
  const services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  const app = await buildApp(services);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const taken = once(app.server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await taken;

  const stopped = app.close();
  while (app.server.listening) await sleep(1);
  socket.write('GET /api/agents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const answer = await text(socket);
  await stopped;
  await services.close();
  await test.close();

  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
});
