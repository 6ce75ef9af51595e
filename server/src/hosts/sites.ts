import { Resolver } from 'node:dns/promises';
import { createGuardedClient, type GuardedClient } from '../outbound/guarded-client.ts';

/** The domains that organisations name in their profiles: anybody's, so they are asked under every guard. */
export interface Sites {
  /** What a file of the domain holds, over https at a public address; null where there is none to be had. */
  file(domain: string, path: string): Promise<string | null>;
  /** The TXT records of a name, each in one piece; none where there are none to be had. */
  textRecords(name: string): Promise<string[]>;
  close(): Promise<void>;
}

/** What tests put in the place of the outside world. */
export interface SiteStandIns {
  readonly client?: Pick<GuardedClient, 'call' | 'close'>;
  readonly resolveText?: (name: string) => Promise<string[][]>;
}

/** A file with a few codes, or the beginning of a page that stands in its place. */
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;

/** Opens nothing yet. A redirect is not followed: where it leads is another place than the profile names. */
export function createSites(userAgent: string, standIns: SiteStandIns = {}): Sites {
  const client =
    standIns.client ??
    createGuardedClient({
      userAgent,
      rules: { hosts: 'any', configuredOrigins: [] },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
  const resolveText = standIns.resolveText ?? resolveTextInTime;
  return {
    async file(domain, path) {
      const answer = await client.call(`https://${domain}${path}`).catch(() => null);
      return answer?.status === 200 ? answer.body : null;
    },
    async textRecords(name) {
      const records = await resolveText(name).catch(() => []);
      return records.map((pieces) => pieces.join(''));
    },
    close: () => client.close(),
  };
}

async function resolveTextInTime(name: string): Promise<string[][]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  return resolver.resolveTxt(name).finally(() => clearTimeout(timer));
}
