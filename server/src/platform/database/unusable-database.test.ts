import { beforeEach, describe, expect, it } from 'vitest';
import { waitForDatabase } from './unusable-database.ts';

let now: number;
let told: unknown[];
const time = {
  now: () => now,
  sleep: async (ms: number) => {
    now += ms;
  },
};
const failure = (code: string | null, message = 'failed') =>
  Object.assign(new Error(message), code === null ? {} : { code });

beforeEach(() => {
  [now, told] = [0, []];
});

function wait(work: () => Promise<string>, seconds = 30) {
  return waitForDatabase(work, { seconds, onWait: (error) => told.push(error) }, time);
}

describe('a start', () => {
  it.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND db'],
    ['57P03', 'the database system is starting up'],
    ['57P01', 'terminating connection'],
    ['53300', 'too many clients'],
    ['25006', 'read-only transaction'],
    [null, 'timeout expired'],
    [null, 'Connection terminated unexpectedly'],
  ])('waits while the database answers %s (%s), and reports it once', async (code, message) => {
    const error = failure(code, message);
    let tries = 0;

    const answer = await wait(async () => {
      tries += 1;
      if (tries < 5) throw error;
      return 'there';
    });

    expect({ answer, tries, told }).toEqual({ answer: 'there', tries: 5, told: [error] });
  });

  it.each([['28P01'], ['3D000'], ['42501'], ['55P03'], ['53100'], ['26000'], [null]])(
    'does not wait where waiting helps nothing: %s',
    async (code) => {
      const error = failure(code);
      let tries = 0;

      const waiting = wait(async () => {
        tries += 1;
        throw error;
      });

      await expect(waiting).rejects.toBe(error);
      expect({ tries, told }).toEqual({ tries: 1, told: [] });
    },
  );

  it.each([30, 1, 0])('gives up after %s s with the last error', async (seconds) => {
    let tries = 0;

    const waiting = wait(async () => {
      tries += 1;
      throw failure('ECONNREFUSED', `try ${tries}`);
    }, seconds);

    await expect(waiting).rejects.toThrow(/^try \d+$/);
    expect(now).toBeLessThanOrEqual(seconds * 1_000);
    expect(now).toBeGreaterThanOrEqual((seconds - 1) * 1_000);
    expect(told).toHaveLength(seconds > 0 ? 1 : 0);
  });
});
