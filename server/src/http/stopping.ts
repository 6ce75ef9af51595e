import type { FastifyInstance } from 'fastify';

/** How a server stops: idle connections end at once; a request on one that was taken before is answered like any other. */
export const STOPPING = { forceCloseConnections: 'idle', return503OnClosing: false } as const;

/**
 * Once the server stops, every answer ends its connection: one that was busy when the stop began would else stay open,
 * idle, for as long as its client likes, and hold up the stop.
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
