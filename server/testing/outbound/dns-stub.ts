import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { Resolve } from '../../src/hosts/client/guarded-connector.ts';

/** DNS server on loopback with answers from a test. */
export interface DnsStub {
  /** Resolves through this DNS server like the system's resolver, for both IP families. */
  readonly resolve: Resolve;
  /** Number of IPv4 queries by name. */
  readonly asked: Map<string, number>;
  close(): Promise<void>;
}

/**
 * Starts a DNS server. IPv4 queries get `answer(name, earlierQueriesOfTheName)`; null means the name does not exist.
 */
export async function startDnsStub(
  answer: (name: string, times: number) => string[] | null,
): Promise<DnsStub> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    const times = asked.get(name) ?? 0;
    const isIpv4 = type === 1;
    if (isIpv4) asked.set(name, times + 1);
    const addresses = isIpv4 ? answer(name, times) : [];
    socket.send(reply(query, end, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    resolve: async (name) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 })),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Repeats the query with our answers; TTL 0, so that nothing is cached. */
function reply(query: Buffer, end: number, addresses: string[] | null): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(addresses === null ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = (addresses ?? []).map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
