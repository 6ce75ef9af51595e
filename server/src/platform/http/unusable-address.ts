import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';

/** Address on which the server is configured to listen. */
interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

/** Advice for operators by system error. `HOST` and `PORT` are placeholders for the names of the two variables. */
const ADVICE: Readonly<Record<string, (address: ListeningAddress) => string>> = {
  EADDRINUSE: () => 'Stop the program that listens there, or set PORT to another port',
  EADDRNOTAVAIL: () =>
    'Set HOST to an address of this machine, such as 127.0.0.1 (only from here) or 0.0.0.0 (all of its addresses)',
  ENOTFOUND: () => 'Set HOST to an address of this machine, or to a name that it can look up',
  EAI_AGAIN: () => 'Set HOST to an address of this machine, or to a name that it can look up',
  EACCES: ({ port }) =>
    `Set PORT to 1024 or above, or give the user that starts the server the right to listen on ${port}`,
};

/**
 * Explains why the server cannot listen, and what to do. `prefix` is the prefix of the variables with the address,
 * such as `METRICS_`.
 */
export function unusableAddress(error: NodeJS.ErrnoException, address: ListeningAddress, prefix = ''): Error {
  const { host, port } = address;
  const [HOST, PORT] = [`${prefix}HOST`, `${prefix}PORT`];
  const advice = ADVICE[error.code ?? '']?.(address).replace(/\b(HOST|PORT)\b/, `${prefix}$1`);
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} of ${host} is in use. ${advice}.`);
  const reason = `${HOST} ${host}, ${PORT} ${port} cannot be listened on: ${error.message}.`;
  return new Error(advice === undefined ? reason : `${reason} ${advice}.`);
}

/**
 * Rejects requests with several Host headers (RFC 9112, 3.2). A proxy might use another of the headers than this
 * server: Node uses the first. Register before hooks that respond.
 */
export function rejectDuplicateHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasSeveralHosts(request.raw.rawHeaders)) return done();
    // Set the common headers here, because their hook runs later. Close the connection, because its next request may
    // come from another client.
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', Connection: 'close' });
    return done(new DomainError('invalid_request', 'The request has more than one Host header. Send one.'));
  });
}

/** Counts Host headers in the raw list of alternating names and values. */
function hasSeveralHosts(lines: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Reserved free port. Its number is known before the server is built, and no other process can take it. */
export interface HeldPort {
  readonly port: number;
  /** Starts the app on the port; closing the app frees it. */
  listen(app: FastifyInstance): Promise<void>;
}

/**
 * Reserves any free port of an address. The app gets the listening socket itself: if the socket were closed and opened
 * again, another process could take the port.
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
