import { once } from 'node:events';
import { createServer } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { holdPort } from './held-port.ts';

/** How it ends for somebody else who wants the port: null where they get it. */
async function refusal(port: number): Promise<string | null> {
  const other = createServer();
  const refused = once(other, 'error').then(([error]) => error.code as string);
  const taken = new Promise<null>((resolve) => other.listen(port, '127.0.0.1', () => resolve(null)));
  return Promise.race([refused, taken]).finally(() => other.close());
}

it('a held port is refused to all others from its first moment to the end of the server that listens on it', async () => {
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

it('an address that is not of this machine is refused before anything is built', async () => {
  await expect(holdPort('203.0.113.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});
