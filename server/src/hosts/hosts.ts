import { createGuardedClient, type GuardedClient } from '../outbound/guarded-client.ts';
import { catalogueOf, type HostPlace, type HostUrl, hostName } from './host-catalogue.ts';

/** Every host that can be read, and the one client that reads them. */
export interface Hosts {
  readonly client: GuardedClient;
  /** Null: no interface of this host is known. */
  placeOf(host: string): HostPlace | null;
  /** The token that an operator gave for a host. */
  tokenOf(host: string): string | null;
  close(): Promise<void>;
}

export interface HostOptions {
  /** Ours, for the hosts' operators to find us. */
  readonly publicUrl: string;
  readonly hostApiUrls: readonly HostUrl[];
  readonly hostApiTokens: readonly { readonly host: string; readonly token: string }[];
}

/** Opens nothing yet. Addresses from the configuration may be anywhere, those we ship are reached in public only. */
export function createHosts({ publicUrl, hostApiUrls, hostApiTokens }: HostOptions): Hosts {
  const places = catalogueOf(hostApiUrls);
  const tokens = new Map(hostApiTokens.map(({ host, token }) => [host, token]));
  const configuredOrigins = hostApiUrls.map(({ url }) => new URL(url).origin);
  const client = createGuardedClient({
    userAgent: `TrustDirectory/0.1 (+${publicUrl})`,
    rules: { hosts: [...places.values()].map(({ url }) => new URL(url).hostname), configuredOrigins },
  });
  return {
    client,
    placeOf: (host) => places.get(hostName(host)) ?? null,
    tokenOf: (host) => tokens.get(hostName(host)) ?? null,
    close: () => client.close(),
  };
}
