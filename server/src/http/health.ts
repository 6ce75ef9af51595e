import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';
import { requireAnswer } from '../database/require-answer.ts';
import { shareResult } from '../share-result.ts';

/** How old a result may be that is told to others. Nothing limits who asks, so asking must cost the database nothing. */
const FRESH_MS = 1_000;

/**
 * `/livez`: the process answers. `/readyz`: it can do its work, so a balancer may send requests; 503 while it cannot. The
 * database is asked once for everybody who wants to know within a second. `now` is a clock in milliseconds.
 */
export function registerHealth(
  app: FastifyInstance,
  database: Pick<Database, 'query'>,
  now: () => number = () => performance.now(),
): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  const isReady = shareResult(
    FRESH_MS,
    () =>
      requireAnswer(database).then(
        () => true,
        () => false,
      ),
    now,
  );
  app.get('/readyz', async (_request, reply) => {
    if (await isReady()) return { status: 'ok', database: 'ok' };
    return reply.code(503).header('Retry-After', 2).send({ status: 'unavailable', database: 'unreachable' });
  });
}
