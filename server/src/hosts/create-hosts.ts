import { Resolver } from 'node:dns/promises';
import {
  createHostCatalogue,
  type HostEndpoint,
  type HostUrl,
  hostName,
} from '../platform/config/known-hosts.ts';
import { createGuardedClient, type GuardedClient } from './client/guarded-client.ts';

/** Resolves the TXT records of a name, each as a list of its pieces. */
type ResolveText = (name: string) => Promise<string[][]>;

/** Returns the TXT records of a name, each joined to one string. Returns an empty list if DNS has none or fails. */
type TextRecords = (name: string) => Promise<string[]>;

const TIMEOUT_MS = 5_000;

/** Creates the reader of TXT records. By default it uses the system's resolver, with a timeout of 5 seconds. */
export function createTextRecords(resolveText: ResolveText = resolveWithTimeout): TextRecords {
  return async (name) => {
    const records = await resolveText(name).catch(() => []);
    return records.map((pieces) => pieces.join(''));
  };
}

async function resolveWithTimeout(name: string): Promise<string[][]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  return resolver.resolveTxt(name).finally(() => clearTimeout(timer));
}

/** Catalogue of the hosts that can be read, with the HTTP client for them. */
export interface Hosts {
  readonly client: GuardedClient;
  /** Client for domains that are not among the known hosts. */
  readonly webClient: GuardedClient;
  /** Reads TXT records of domains that profiles name. */
  readonly textRecords: TextRecords;
  /** Returns the API and address of a host; null if the host is unknown. */
  endpointOf(host: string): HostEndpoint | null;
  /** Returns the token that the operator configured for a host; null without one. */
  tokenOf(host: string): string | null;
  close(): Promise<void>;
}

export interface HostOptions {
  /** Public URL of this service, sent so that host operators can contact its operator. */
  readonly publicUrl: string;
  readonly hostApiUrls: readonly HostUrl[];
  readonly hostApiTokens: readonly { readonly host: string; readonly token: string }[];
  /** Domains that the operator configured to be read; a `url` is the address to read instead of the domain itself. */
  readonly wellKnownDomains?: readonly { readonly url: string | null }[] | undefined;
  /** Replaces DNS in tests. */
  readonly resolveText?: ResolveText | undefined;
}

/**
 * Creates the catalogue of hosts without opening connections. Addresses that the operator configured may be private.
 * Built-in hosts are reached only at public addresses.
 */
export function createHosts(options: HostOptions): Hosts {
  const { publicUrl, hostApiUrls, hostApiTokens, wellKnownDomains = [], resolveText } = options;
  const endpoints = createHostCatalogue(hostApiUrls);
  const tokens = new Map(hostApiTokens.map(({ host, token }) => [host, token]));
  const configuredOrigins = hostApiUrls.map(({ url }) => new URL(url).origin);
  const userAgent = `TrustDirectory/0.1 (+${publicUrl})`;
  const client = createGuardedClient({
    userAgent,
    rules: { hosts: [...endpoints.values()].map(({ url }) => new URL(url).hostname), configuredOrigins },
  });
  const webOrigins = wellKnownDomains.flatMap(({ url }) => (url === null ? [] : new URL(url).origin));
  const webClient = createGuardedClient({
    userAgent,
    rules: { hosts: 'any', configuredOrigins: webOrigins },
  });
  return {
    client,
    webClient,
    textRecords: createTextRecords(resolveText),
    endpointOf: (host) => endpoints.get(hostName(host)) ?? null,
    tokenOf: (host) => tokens.get(hostName(host)) ?? null,
    async close() {
      await Promise.all([client.close(), webClient.close()]);
    },
  };
}
