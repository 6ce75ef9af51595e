import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';

const READERS = 4;

/** Reads URLs repeatedly and expects complete responses; `stop` returns their number. */
export function readRepeatedly(app: FastifyInstance, urls: readonly string[]): { stop(): Promise<number> } {
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
