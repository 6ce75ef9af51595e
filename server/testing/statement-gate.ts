import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** Proxy to the database that counts the driver's statements and can hold their answers. */
export interface StatementGate {
  readonly url: string;
  /** Texts of the statements since `watch`, in the order in which they arrived. */
  readonly statements: readonly string[];
  /**
   * Restarts the count. Holds the answers to as many statements as the first wave has until all of them have arrived, then
   * the same for each further wave. Statements that wait for each other never fill a wave, so their sender times out.
   */
  watch(...waves: readonly number[]): void;
  close(): Promise<void>;
}

/** Statements that must arrive before any of them is answered. */
interface Wave {
  missing: number;
  readonly held: (() => void)[];
}

/** Opens a gate on loopback through which a pool of sessions reaches the database. */
export async function openStatementGate(databaseUrl: string): Promise<StatementGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  let waves: Wave[] = [];

  function enter(statement: string): Wave | undefined {
    statements.push(statement);
    const wave = waves.find(({ missing }) => missing > 0);
    if (wave) wave.missing -= 1;
    if (wave?.missing === 0) for (const pass of wave.held) pass();
    return wave;
  }

  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      const end = () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      };
      socket.on('error', end).on('close', end);
    }
    let wave: Wave | undefined;
    const reader = new StatementReader((statement) => {
      wave = enter(statement);
    });
    near.on('data', (chunk) => {
      reader.read(chunk);
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      const pass = () => void near.write(chunk);
      if (wave && wave.missing > 0) wave.held.push(pass);
      else pass();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    statements,
    watch(...sizes) {
      statements.length = 0;
      waves = sizes.map((missing) => ({ missing, held: [] }));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Bytes before the content of a message: its type, except in the first one, and its length. */
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** Reads the messages of one session in PostgreSQL's protocol and reports every statement that it executes. */
class StatementReader {
  readonly #onStatement: (text: string) => void;
  /** Texts of prepared statements by name. */
  readonly #texts = new Map<string, string>();
  #unread = Buffer.alloc(0);
  #hasStarted = false;
  #bound = '';

  constructor(onStatement: (text: string) => void) {
    this.#onStatement = onStatement;
  }

  read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const lengthAt = this.#hasStarted ? TYPE_BYTES : 0;
      if (this.#unread.length < lengthAt + LENGTH_BYTES) return;
      const end = lengthAt + this.#unread.readInt32BE(lengthAt);
      if (this.#unread.length < end) return;
      const message = this.#unread.subarray(0, end);
      this.#unread = this.#unread.subarray(end);
      if (this.#hasStarted) this.#readMessage(message);
      this.#hasStarted = true;
    }
  }

  #readMessage(message: Buffer): void {
    const type = String.fromCharCode(message[0] as number);
    const [first = '', second = ''] = message.toString('utf8', TYPE_BYTES + LENGTH_BYTES).split('\0', 2);
    if (type === 'P') this.#texts.set(first, second);
    else if (type === 'B') this.#bound = second;
    else if (type === 'E') this.#onStatement(this.#texts.get(this.#bound) ?? '');
    else if (type === 'Q') this.#onStatement(first);
  }
}
