import { OutboundFailure } from './outbound-failure.ts';

/** Where one purpose may call. */
export interface OutboundRules {
  /** Names that may be called, lower case, or `any` where the receiver is a person's own choice. */
  readonly hosts: readonly string[] | 'any';
  /** Origins that the operator configured: at any address and port, over http too. */
  readonly configuredOrigins: readonly string[];
  /** Ports of the other hosts; tests cannot listen on 443. */
  readonly ports?: readonly number[];
}

/** An address that may be called, and whether the operator vouches for it. */
export interface Target {
  readonly url: URL;
  readonly isConfigured: boolean;
}

const HTTPS_PORT = 443;

/** Reads an address and checks it against the rules; where its name leads is checked when it is connected to. */
export function readTarget(address: string | URL, rules: OutboundRules): Target {
  const url = parse(address);
  if (url.username !== '' || url.password !== '') throw refuse('sign-in data in the address');
  if (rules.configuredOrigins.includes(url.origin)) return { url, isConfigured: true };
  if (url.protocol !== 'https:') throw refuse('not an https address');
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (!(rules.ports ?? [HTTPS_PORT]).includes(port)) throw refuse('a port of its own');
  if (rules.hosts !== 'any' && !rules.hosts.includes(url.hostname))
    throw refuse('a host that is not allowed');
  return { url, isConfigured: false };
}

function parse(address: string | URL): URL {
  if (address instanceof URL) return address;
  if (!URL.canParse(address)) throw refuse('no address at all');
  return new URL(address);
}

function refuse(reason: string): OutboundFailure {
  return new OutboundFailure('refused', `the call was not made: ${reason}`);
}
