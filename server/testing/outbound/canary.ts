import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Listens on one port of all addresses of this machine, including ::1, and counts connections. */
export interface Canary {
  readonly port: number;
  /** False if this machine has no IPv6. */
  readonly hasIpv6: boolean;
  /** Number of connections since the start. */
  heard(): number;
  close(): Promise<void>;
}

/** Starts a canary on one port for both IP families. It closes every connection. */
export async function startCanary(): Promise<Canary> {
  let count = 0;
  const hear = (socket: Socket) => {
    count += 1;
    socket.on('error', () => undefined).destroy();
  };
  const server = createServer(hear);
  // Use one socket for both families: a port that is free in one may be taken in the other.
  const hasIpv6 = await listen(server, '::').then(
    () => true,
    () => listen(server, '0.0.0.0').then(() => false),
  );
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hasIpv6,
    heard: () => count,
    async close() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, host: string): Promise<void> {
  server.listen(0, host);
  await once(server, 'listening');
}
