import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundFailure, skipContinue } from './read-response.ts';

// Special-purpose IPv4 networks of the IANA registry, which contain no public servers.
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network, and the unspecified address
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind a provider's NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local: cloud metadata lives here
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

// The only IPv6 block that is assigned to servers. Everything outside it (loopback, mapped, NAT64, unique local,
// link-local, multicast) is rejected. The list below names the networks within the block that are rejected too.
const GLOBAL_UNICAST: readonly [string, number] = ['2000::', 3];

const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['3fff::', 20], // documentation
];

const special = new BlockList();

for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');

for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();

globalUnicast.addSubnet(...GLOBAL_UNICAST, 'ipv6');

/**
 * Returns true for an IP address that may belong to a public server. Returns false for any other text, and for an
 * address with a zone (`%eth0`).
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Resolves all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Rules for connections; tests replace them. */
export interface ConnectRules {
  readonly resolve?: Resolve;
  readonly isAllowed?: (address: string) => boolean;
  readonly timeoutMs: number;
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Creates a connector that connects to allowed addresses only. A name is resolved once, and only the checked addresses
 * are used, so that a second, different DNS answer has no effect (DNS rebinding). IP literals are checked here,
 * because they are never resolved.
 */
export function guardedConnector(rules: ConnectRules): buildConnector.connector {
  const { resolve = systemResolve, isAllowed = isPublicAddress, timeoutMs } = rules;
  const connect = skipContinue(
    buildConnector({ lookup: checkedLookup(resolve, isAllowed), timeout: timeoutMs }),
  );
  return (options, callback) => {
    const address = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !isAllowed(address)) {
      process.nextTick(callback, forbidden(), null);
      return;
    }
    connect(options, callback);
  };
}

function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const family = options.family === 4 || options.family === 6 ? options.family : null;
        const addresses = found.filter(
          (each) => isAllowed(each.address) && (family === null || each.family === family),
        );
        const [first] = addresses;
        if (first === undefined) callback(forbidden(), '', 0);
        else if (options.all) callback(null, addresses.slice());
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

function forbidden(): OutboundFailure {
  return new OutboundFailure('refused', 'the host has no public address');
}
