import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundFailure } from './outbound-failure.ts';
import { isPublicAddress } from './public-address.ts';
import { skipContinue } from './skip-continue.ts';

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What decides where a connection may go; the defaults are the rules, tests put stand-ins in their place. */
export interface ConnectRules {
  readonly resolve?: Resolve;
  readonly isAllowed?: (address: string) => boolean;
  readonly timeoutMs: number;
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Connects to allowed addresses only. A name is resolved once and the connection goes to exactly the addresses that were
 * checked, so that a name which answers differently the second time is asked no second time; an address in the place of
 * a name is never looked up, so it is checked here.
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
