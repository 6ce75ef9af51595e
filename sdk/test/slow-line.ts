import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Proxy that delays every request to a server. */
interface SlowLine {
  readonly url: string;
  /** Resolves when the first request reaches the proxy, before the proxy forwards it. */
  readonly asked: Promise<void>;
}

/** Starts a proxy that delays every request by `delayMs`; the proxy ends with the test. */
export async function slowLine(serverUrl: string, delayMs: number): Promise<SlowLine> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<{ destroy(): unknown }>();
  let beAsked: () => void;
  const asked = new Promise<void>((resolve) => {
    beAsked = resolve;
  });
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
      beAsked();
      last = last.then(() => wait(delayMs)).then(() => void far.write(chunk));
    });
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    line.close();
  });
  return { url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, asked };
}
