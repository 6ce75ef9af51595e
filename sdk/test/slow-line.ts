import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A line to a server on which every request takes so long to arrive. Answers its URL; it ends with the test. */
export async function slowLine(serverUrl: string, delayMs: number): Promise<string> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<{ destroy(): unknown }>();
  const line = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    far.pipe(near);
    let last = Promise.resolve();
    near.on('data', (chunk) => {
      last = last.then(() => wait(delayMs)).then(() => void far.write(chunk));
    });
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    line.close();
  });
  return `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
}
