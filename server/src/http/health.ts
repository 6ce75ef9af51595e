import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';

/** `/livez`: the process answers. `/readyz`: it can do its work, so a balancer may send requests; 503 while it cannot. */
export function registerHealth(app: FastifyInstance, database: Database): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    try {
      await database.query('SELECT 1 AS one');
      return { status: 'ok', database: 'ok' };
    } catch {
      return reply
        .code(503)
        .header('Retry-After', 2)
        .send({ status: 'unavailable', database: 'unreachable' });
    }
  });
}
