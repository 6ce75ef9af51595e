import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/**
 * A TCP proxy on loopback that can be cut silently: while it is cut, data does not arrive, and neither side gets an
 * error.
 */
export interface CuttableLine {
  readonly port: number;
  cut(isCut: boolean): void;
  close(): Promise<void>;
}

/**
 * Opens a proxy to a port. While it is cut, new connections are accepted but receive nothing, as behind a dead switch.
 */
export async function openCuttableLine(targetPort: number): Promise<CuttableLine> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let isCut = false;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    keep(near);
    const join = () => {
      const far = dial(targetPort, '127.0.0.1');
      keep(far);
      // Forward data without `pipe`, because a pipe resumes a source that `cut` has paused.
      near.on('data', (chunk) => far.write(chunk)).on('close', () => far.destroy());
      far.on('data', (chunk) => near.write(chunk)).on('close', () => near.destroy());
      near.resume();
    };
    if (isCut) waiting.add(join);
    else join();
    near.on('close', () => waiting.delete(join));
  });
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(next) {
      isCut = next;
      for (const socket of sockets) {
        // Also cork it, so that data already received from the other side is not sent.
        if (isCut) socket.pause().cork();
        else socket.uncork();
        if (!isCut) socket.resume();
      }
      if (!isCut) for (const join of waiting) join();
      if (!isCut) waiting.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
