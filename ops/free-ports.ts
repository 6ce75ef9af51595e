import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Range of ports below the ephemeral ones. The system could give an ephemeral port to an outgoing connection between
 * the check and the use of the port.
 */
const [FIRST, END] = [20_000, 32_768];

/** Finds distinct loopback ports that are free now. */
export async function findFreePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(FIRST, END);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), 'close')));
  return [...held.keys()];
}
