import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { registerHealth } from './health.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** Creates a server with a fake clock and a database that the test answers. */
function createServer() {
  const asked: { answer: () => void; fail: () => void }[] = [];
  const clock = { now: 5_000 };
  app = Fastify();
  const query = () =>
    new Promise<never[]>((resolve, reject) => {
      asked.push({ answer: () => resolve([]), fail: () => reject(new Error('away')) });
    });
  registerHealth(app, { query }, () => clock.now);
  const ask = async () => (await app.inject('/readyz')).statusCode;
  /** Sends concurrent requests, answers the one query, and returns the responses. */
  const askAtOnce = async (count: number, end: 'answer' | 'fail' = 'answer') => {
    const before = asked.length;
    const answers = Array.from({ length: count }, ask);
    while (asked.length === before) await new Promise((resolve) => setImmediate(resolve));
    asked.at(-1)?.[end]();
    return Promise.all(answers);
  };
  return { asked, clock, ask, askAtOnce };
}

describe('/readyz', () => {
  it('queries the database once for concurrent requests', async () => {
    const { asked, askAtOnce } = createServer();

    const answers = await askAtOnce(50);

    expect(answers).toEqual(Array(50).fill(200));
    expect(asked).toHaveLength(1);
  });

  it('reuses a result for a second, and then queries again', async () => {
    const { asked, clock, ask, askAtOnce } = createServer();
    await askAtOnce(1);
    clock.now += 999;

    expect(await ask()).toBe(200);
    expect(asked).toHaveLength(1);
    clock.now += 1;
    expect(await askAtOnce(3, 'fail')).toEqual([503, 503, 503]);
    expect(asked).toHaveLength(2);
  });

  it('reuses a failure for a second too, and no longer', async () => {
    const { asked, clock, ask, askAtOnce } = createServer();
    await askAtOnce(1, 'fail');

    expect(await ask()).toBe(503);
    expect(asked).toHaveLength(1);
    clock.now += 1_000;
    expect(await askAtOnce(1)).toEqual([200]);
  });
});
