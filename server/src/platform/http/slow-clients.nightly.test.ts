import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';

let test: TestDatabase;
let services: Services;
let app: Awaited<ReturnType<typeof buildApp>>;
let port: number;

beforeAll(async () => {
  test = await createTestDatabase();
  services = createServices(loadConfig({ DATABASE_URL: test.url, LOG_LEVEL: 'silent' }), {
    databaseUrl: test.url,
  });
  app = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

const HEAD = 'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Sends a text, then one byte every half second; returns the response and the elapsed time. */
async function drip(text: string): Promise<{ answer: string; seconds: number }> {
  const started = Date.now();
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  const timer = setInterval(() => socket.write('x'), 500);
  await once(socket, 'close');
  clearInterval(timer);
  return { answer, seconds: (Date.now() - started) / 1000 };
}

describe.concurrent('a client that sends a byte now and then', () => {
  it.each([
    ['in the body', `${HEAD}Content-Length: 10000\r\n\r\n{`],
    ['in the headers', `${HEAD}X-Slow: `],
  ])('%s is cut off after ten seconds with a 408', { timeout: 90_000 }, async (_where, text) => {
    const { answer, seconds } = await drip(text);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    // Ten seconds plus a margin for busy machines; without the limit it would be a minute.
    expect(seconds).toBeLessThan(45);
  });
});
