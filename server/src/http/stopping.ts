import type { FastifyInstance } from 'fastify';

/**
 * Once the server stops, every answer ends its connection: one that was busy when the stop began would else stay open,
 * idle, for as long as its client likes, and hold up the stop.
 */
export function closeConnectionsWhenStopping(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('Connection', 'close');
  });
}
