import { catalogueOf, type HostPlace, type HostUrl, hostName } from '../config/host-catalogue.ts';
import { createGuardedClient, type GuardedClient } from '../outbound/guarded-client.ts';
import { createTextRecords, type ResolveText, type TextRecords } from './text-records.ts';

/** Every host that can be read, and the one client that reads them. */
export interface Hosts {
  readonly client: GuardedClient;
  /** Of domains that profiles name. */
  readonly textRecords: TextRecords;
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
  /** Stands in for DNS in tests. */
  readonly resolveText?: ResolveText | undefined;
}

/** Opens nothing yet. Addresses from the configuration may be anywhere, those we ship are reached in public only. */
export function createHosts(options: HostOptions): Hosts {
  const { publicUrl, hostApiUrls, hostApiTokens, resolveText } = options;
  const places = catalogueOf(hostApiUrls);
  const tokens = new Map(hostApiTokens.map(({ host, token }) => [host, token]));
  const configuredOrigins = hostApiUrls.map(({ url }) => new URL(url).origin);
  const userAgent = `TrustDirectory/0.1 (+${publicUrl})`;
  const client = createGuardedClient({
    userAgent,
    rules: { hosts: [...places.values()].map(({ url }) => new URL(url).hostname), configuredOrigins },
  });
  return {
    client,
    textRecords: createTextRecords(resolveText),
    placeOf: (host) => places.get(hostName(host)) ?? null,
    tokenOf: (host) => tokens.get(hostName(host)) ?? null,
    close: () => client.close(),
  };
}
