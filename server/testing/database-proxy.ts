import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { StatementRecognizer } from './statement-recognizer.ts';

/** Text that only one statement of the ledger contains. */
export const STATEMENT_TEXT = {
  reserve: 'INSERT INTO open_run',
  settle: "'settled', greatest(ledger_now()",
  charge: "'settled', pick.at",
  fail: "'failed', code",
} as const;

/** Number of bytes of a statement, or of its response, after which the connection is cut. */
export interface Cut {
  direction: 'request' | 'answer';
  afterBytes: number;
}

/**
 * Proxy to the database that cuts the connection once, at a chosen byte of a chosen statement, and then works again.
 */
export interface DatabaseProxy {
  readonly url: string;
  /**
   * Arms the cut; resolves with the number of bytes seen of that statement and its response (all if it was not cut).
   */
  breakAt(statement: string, cut: Cut): Promise<{ request: number; answer: number }>;
  /** Blocks all traffic in both directions without losing data, until called with false. */
  hush(silent: boolean): void;
  close(): Promise<void>;
}

interface Trap {
  statement: string;
  cut: Cut;
  request: number;
  answer: number;
  seen: (bytes: { request: number; answer: number }) => void;
}

/** ReadyForQuery, idle: the response is complete. */
const ANSWER_END = 'Z\0\0\0\x05I';

/** Opens a proxy on loopback through which a pool of sessions reaches the database. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const statements = new StatementRecognizer();
  let set: Trap | null = null;
  let hushed = false;
  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    let sprung: Trap | null = null;
    const end = () => {
      near.destroy();
      far.destroy();
      sprung?.seen(sprung);
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    near.on('data', (chunk) => {
      const sent = statements.read(chunk);
      if (set && sent.includes(set.statement)) [sprung, set] = [set, null];
      if (!sprung || sprung.cut.direction === 'answer') {
        if (sprung) sprung.request += chunk.length;
        return void far.write(chunk);
      }
      passUpTo(sprung, 'request', chunk, far, end);
    });
    far.on('data', (chunk) => {
      if (!sprung) return void near.write(chunk);
      passUpTo(sprung, 'answer', chunk, near, end);
      if (!chunk.includes(ANSWER_END)) return;
      sprung.seen(sprung);
      sprung = null;
    });
  });
  server.on('connection', () => {
    if (hushed) for (const socket of sockets) quieten(socket, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    breakAt(statement, cut) {
      return new Promise((seen) => {
        set = { statement, cut, request: 0, answer: 0, seen };
      });
    },
    hush(silent) {
      hushed = silent;
      for (const socket of sockets) quieten(socket, hushed);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function quieten(socket: Socket, silent: boolean): void {
  if (silent) socket.pause();
  else socket.resume();
}

/** Forwards the bytes before the cut, and cuts there. */
function passUpTo(trap: Trap, direction: Cut['direction'], chunk: Buffer, to: Socket, cut: () => void): void {
  const left = trap.cut.direction === direction ? trap.cut.afterBytes - trap[direction] : Infinity;
  trap[direction] += Math.min(chunk.length, left);
  if (chunk.length <= left) to.write(chunk);
  else if (left <= 0) cut();
  else to.write(chunk.subarray(0, left), cut);
}
