import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';

/** Condition of a connection: what happens to the data sent on it. */
export type Weather = 'clear' | 'slow' | 'stalls' | 'silent' | 'resets';

/** A TCP proxy to the database on loopback, whose condition (`Weather`) a test changes. */
export interface RoughLine {
  readonly url: string;
  become(weather: Weather): void;
  close(): Promise<void>;
}

const SLOW_MS = 200;
const STALL_MS = 2_000;
const STALLS = 0.05;

/**
 * Opens a proxy. While it is silent, no data passes, neither side gets an error, and no data is lost, as with TCP
 * behind a dead switch.
 */
export async function openRoughLine(databaseUrl: string, random: Random): Promise<RoughLine> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let weather: Weather = 'clear';
  let wake: () => void = () => undefined;
  let changed = new Promise<void>((resolve) => (wake = resolve));

  /** Forwards data in order, one piece after the other. */
  async function pass(from: Socket, to: Socket): Promise<void> {
    for await (const piece of from) {
      while (weather === 'silent') await changed;
      if (weather === 'slow') await sleep(SLOW_MS);
      if (weather === 'stalls' && random.next() < STALLS) await sleep(STALL_MS);
      if (!to.destroyed) to.write(piece);
    }
  }

  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    if (weather === 'resets') near.resetAndDestroy();
    pass(near, far).catch(end);
    pass(far, near).catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    become(next) {
      weather = next;
      wake();
      changed = new Promise((resolve) => (wake = resolve));
      if (next === 'resets') for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
