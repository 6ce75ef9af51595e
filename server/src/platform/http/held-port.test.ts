import { once } from 'node:events';
import { createServer } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { holdPort } from './unusable-address.ts';

/** Tries to listen on the port; returns the error code, or null on success. */
async function refusal(port: number): Promise<string | null> {
  const other = createServer();
  const refused = once(other, 'error').then(([error]) => error.code as string);
  const taken = new Promise<null>((resolve) => other.listen(port, '127.0.0.1', () => resolve(null)));
  return Promise.race([refused, taken]).finally(() => other.close());
}

it('a held port cannot be taken by others until the server that listens on it ends', async () => {
  const app = Fastify().get('/', async () => 'ours');
  const held = await holdPort('127.0.0.1');

  const before = await refusal(held.port);
  await held.listen(app);
  const during = await refusal(held.port);
  const answer = await (await fetch(`http://127.0.0.1:${held.port}/`)).text();
  await app.close();

  expect([before, during, await refusal(held.port)]).toEqual(['EADDRINUSE', 'EADDRINUSE', null]);
  expect(answer).toBe('ours');
});

it('an address of another machine is rejected before the server is built', async () => {
  await expect(holdPort('203.0.113.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});
