import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** Listens on every address of this machine, ::1 too, on one port, and counts who connects. */
export interface Canary {
  readonly port: number;
  /** False where this machine has no IPv6. */
  readonly hasIpv6: boolean;
  /** Connections since the start. */
  heard(): number;
  close(): Promise<void>;
}

/** Starts a canary on a port that is free in both families. Whoever connects is hung up on. */
export async function startCanary(): Promise<Canary> {
  let count = 0;
  const hear = (socket: Socket) => {
    count += 1;
    socket.on('error', () => undefined).destroy();
  };
  const four = createServer(hear);
  await listen(four, 0, '0.0.0.0');
  const { port } = four.address() as AddressInfo;
  const six = createServer(hear);
  const hasIpv6 = await listen(six, port, '::1').then(
    () => true,
    () => false,
  );
  return {
    port,
    hasIpv6,
    heard: () => count,
    async close() {
      for (const server of hasIpv6 ? [four, six] : [four]) {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host, ipv6Only: true }, resolve);
  });
}
