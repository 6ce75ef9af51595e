import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';

const READERS = 4;

/** Reads these addresses on and on, and expects each answer to be whole; `stop` answers how many there were. */
export function readOnAndOn(app: FastifyInstance, urls: readonly string[]): { stop(): Promise<number> } {
  let stopped = false;
  let count = 0;
  const readers = Array.from({ length: READERS }, async (_, first) => {
    for (let turn = first; !stopped; turn += 1) {
      const url = urls[turn % urls.length] as string;
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
      count += 1;
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(readers);
      return count;
    },
  };
}
