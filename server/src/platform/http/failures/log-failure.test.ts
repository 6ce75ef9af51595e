import type { FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { logFailure } from './log-failure.ts';

it('a failure is logged by its places, not by what its message quotes, even where a value looks like a place', () => {
  const logged: unknown[] = [];
  const log = { error: (fields: object) => logged.push(fields) } as unknown as FastifyBaseLogger;

  logFailure(log, new TypeError('no such value: "x\n    at marmalade-4711 (file:///a.ts:1:1)\n    at b"'));

  const [{ failure, frames }] = logged as [{ failure: string; frames: string[] }];
  expect(failure).toBe('TypeError');
  expect(frames[0]).toContain('log-failure.test.ts');
  expect(JSON.stringify(logged)).not.toMatch(/marmalade|no such value| at b/);
});
