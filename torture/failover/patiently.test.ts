import { expect, it } from 'vitest';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { patiently, patientServers } from './patiently.ts';

it('does work again until it succeeds', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 4) throw new Error('terminating connection due to administrator command');
    return tries;
  };

  expect(await patiently(work, 60_000, 0)).toBe(4);
});

it('rejects with the last failure when the time is over', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new Error(`try ${tries}`);
  };

  await expect(patiently(work, 0, 0)).rejects.toThrow('try 1');
});

it('starts a server again that did not reach its database in time', async () => {
  const asked: unknown[] = [];
  const server = { pid: 7 } as ServerProcess;
  const arena = patientServers({
    async server(databaseUrl: string, _upstreamUrl: string) {
      asked.push(databaseUrl);
      if (asked.length < 2) throw new Error('the server ended with 1: timeout expired');
      return server;
    },
  });

  expect(await arena.server('postgres://cluster', 'http://upstream')).toBe(server);
  expect(asked).toEqual(['postgres://cluster', 'postgres://cluster']);
});
