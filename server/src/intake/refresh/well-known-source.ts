import { artifactsInside } from '../../catalog/listings/listing-aliases.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { readWellKnown, type WellKnownFiles } from '../../hosts/lookup/well-known.ts';
import type { AnswerMemory } from '../../hosts/request-host.ts';
import { readProvedDomains } from '../../ownership/proofs/link-account.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { storeWellKnown } from '../import/save-well-known.ts';
import { findFormerDomains, WELL_KNOWN_SOURCE } from '../import/well-known.queries.ts';
import { scheduleItems, unscheduleOthers } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import type { RefreshSource } from './refresh-source.ts';

const CHECK_SECONDS = 7 * 86_400;

interface WellKnownParts {
  database: Database;
  hosts: Hosts;
  /** Domains that the operator trusts, in addition to domains that prove organisations. */
  wellKnownDomains: Config['wellKnownDomains'];
}

/**
 * Creates the source of agent cards and indexes of skills. Reads only domains whose DNS record proves an organisation,
 * and those of the operator's list, because anyone can publish such files about any repository. A file counts for a
 * listing only if it names the listing's repository, and if that repository belongs to the organisation or has the
 * domain as its homepage.
 */
export function wellKnownSource({ database, hosts, wellKnownDomains }: WellKnownParts): RefreshSource {
  const urls = new Map(wellKnownDomains.map(({ domain, url }) => [domain, url]));
  return createLeasedSource<WellKnownFiles>(database, {
    name: 'domains with agent cards',
    source: WELL_KNOWN_SOURCE,
    checkSeconds: CHECK_SECONDS,
    goneSeconds: CHECK_SECONDS,
    async prepare() {
      const proved = (await readProvedDomains(database)).map(({ domain }) => domain);
      const domains = [...new Set([...urls.keys(), ...proved])];
      await scheduleItems(
        database,
        WELL_KNOWN_SOURCE,
        domains.map((domain) => ({ item: domain, host: domain, listingId: null })),
      );
      await unscheduleOthers(database, WELL_KNOWN_SOURCE, domains);
      await forgetOthers(database, domains);
      return domains;
    },
    async read({ item: domain, state }, signal) {
      const place = { domain, url: urls.get(domain) ?? `https://${domain}` };
      const { files, memory, requests, rateLimit } = await readWellKnown(hosts, place, {
        memory: state as AnswerMemory,
        signal,
      });
      return { value: files, state: memory, requests, rateLimit };
    },
    store: (connection, { item }, files) =>
      storeWellKnown(connection, item, files ?? { card: null, skills: null }),
  });
}

/** Removes facts that were read from domains that are no longer trusted. */
async function forgetOthers(database: Database, domains: readonly string[]): Promise<void> {
  for (const domain of await findFormerDomains(database, domains)) {
    await retryConflicts(() =>
      inTransaction(database, async (connection) => {
        const due = await storeWellKnown(connection, domain, { card: null, skills: null });
        await enqueueScoring(connection, [...due, ...(await artifactsInside(connection, due))]);
      }),
    );
  }
}
