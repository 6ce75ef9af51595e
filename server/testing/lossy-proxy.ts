import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { StatementRecognizer } from './statement-recognizer.ts';

/** Data to lose: the statement on its way, its response, or the connection while the statement runs. */
type Loss = 'request' | 'answer' | 'line';

/** Proxy to the database that fails at a chosen statement; afterwards it works again, or stays dead. */
export interface LossyProxy {
  url: string;
  breakAt(statement: string, loss: Loss, after: 'works' | 'dead'): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens such a proxy on loopback. */
export async function openLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  let trap: { statement: string; loss: Loss; after: 'works' | 'dead' } | null = null;
  let dead = false;
  const sockets = new Set<Socket>();
  const statements = new StatementRecognizer();
  const server: Server = createServer((near) => {
    if (dead) return void near.destroy();
    const far = dial(Number(target.port), target.hostname);
    let losing = false;
    const cut = () => {
      near.destroy();
      far.destroy();
      if (dead) for (const socket of sockets) socket.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    near.on('data', (chunk) => {
      const sent = statements.read(chunk);
      if (trap && sent.includes(trap.statement)) {
        losing = true;
        dead = trap.after === 'dead';
        const { loss } = trap;
        trap = null;
        if (loss === 'request') return cut();
        if (loss === 'line') return void far.write(chunk, cut);
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      // 'Z' ends a response: by then the statement has taken effect permanently.
      if (losing) return void (chunk.includes('Z\0\0\0\x05I') && cut());
      near.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    breakAt(statement, loss, after) {
      trap = { statement, loss, after };
    },
    mend() {
      trap = null;
      dead = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
