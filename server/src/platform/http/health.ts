import type { FastifyInstance } from 'fastify';
import { cachedSingleFlight } from '../batching/concurrent-calls.ts';
import type { Database } from '../database/connect.ts';
import { pingDatabase } from '../database/send-statement.ts';

/**
 * Server options for shutdown. Idle connections are closed immediately; requests on other connections are still
 * answered.
 */
export const SHUTDOWN_OPTIONS = { forceCloseConnections: 'idle', return503OnClosing: false } as const;

/**
 * Sends `Connection: close` with every response while the server stops. Otherwise a connection that was busy at that
 * time would stay open and idle, and delay the stop.
 */
export function closeConnectionsWhenStopping(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('Connection', 'close');
    done();
  });
}

/**
 * Maximum age of a result that several checks share. Health checks are not rate limited, so they must not load the
 * database.
 */
const FRESH_MS = 1_000;

/**
 * Serves `/livez` (the process responds) and `/readyz` (the process can work, so that a load balancer may send
 * requests; otherwise 503). The database is queried at most once per second. `now` is a clock in milliseconds.
 */
export function registerHealth(
  app: FastifyInstance,
  database: Pick<Database, 'query'>,
  now: () => number = () => performance.now(),
): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  const isReady = cachedSingleFlight(
    FRESH_MS,
    () =>
      pingDatabase(database).then(
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
