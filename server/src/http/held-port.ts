import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A free port whose number is known before the server is built, and which nobody else can take until it listens. */
export interface HeldPort {
  readonly port: number;
  /** Resolves once the app answers there; the app's end frees the port. */
  listen(app: FastifyInstance): Promise<void>;
}

/**
 * Takes any free port of an address. It is bound all along and handed over as it is: to close it and open it again
 * would leave a moment in which another process could get it.
 */
export async function holdPort(host: string): Promise<HeldPort> {
  const holder = createServer((socket) => socket.destroy()).listen(0, host);
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  return {
    port,
    async listen(app) {
      await app.ready();
      const listening = once(app.server, 'listening');
      app.server.listen(holder);
      await listening;
      app.log.info(`Server listening at port ${port} of ${host}`);
    },
  };
}
