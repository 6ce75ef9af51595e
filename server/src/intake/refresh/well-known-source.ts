import { type ObservedFact, removeFacts, saveFacts } from '../../catalog/facts/observed-facts.ts';
import { artifactsInside } from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { readRepositoryUrl } from '../../catalog/repository-url.ts';
import { REPOSITORY_HOSTS } from '../../catalog/subjects/public-path.ts';
import type { AnswerMemory } from '../../hosts/conditional-requests.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import {
  AGENT_CARD_PATH,
  readWellKnown,
  SKILLS_INDEX_PATH,
  type WellKnownFiles,
} from '../../hosts/lookup/well-known.ts';
import { readProvedDomains } from '../../ownership/proofs/link-account.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { scheduleItems, unscheduleOthers } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import type { RefreshSource } from './refresh-source.ts';
import {
  DOMAIN_FACTS,
  findFormerDomains,
  findListingsOfDomain,
  findNamedListings,
  type NamedByDomain,
} from './well-known.queries.ts';

const SOURCE = 'well-known';
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
    source: SOURCE,
    checkSeconds: CHECK_SECONDS,
    goneSeconds: CHECK_SECONDS,
    async prepare() {
      const proved = (await readProvedDomains(database)).map(({ domain }) => domain);
      const domains = [...new Set([...urls.keys(), ...proved])];
      await scheduleItems(
        database,
        SOURCE,
        domains.map((domain) => ({ item: domain, host: domain, listingId: null })),
      );
      await unscheduleOthers(database, SOURCE, domains);
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
      storeFiles(connection, item, files ?? { card: null, skills: null }),
  });
}

/** Removes facts that were read from domains that are no longer trusted. */
async function forgetOthers(database: Database, domains: readonly string[]): Promise<void> {
  for (const domain of await findFormerDomains(database, domains)) {
    await inTransaction(database, async (connection) => {
      const due = await storeFiles(connection, domain, { card: null, skills: null });
      await enqueueScoring(connection, [...due, ...(await artifactsInside(connection, due))]);
    });
  }
}

async function storeFiles(
  connection: Connection,
  domain: string,
  { card, skills }: WellKnownFiles,
): Promise<string[]> {
  const cards = (card?.links ?? []).map((link) => ({ link, value: card }));
  const indexed = (skills ?? []).map((skill) => ({ link: skill.link, value: skill }));
  const named = [...cards, ...indexed].flatMap(({ link }) => repositoryOf(link) ?? []);
  const listings = await ownListings(connection, domain, [...new Set(named)]);
  const common = { source: domain, license: null };
  const facts = new Map<string, ObservedFact>();
  const add = (fact: ObservedFact) => {
    const key = `${fact.fact} ${fact.subjectId}`;
    if (!facts.has(key)) facts.set(key, fact);
  };
  for (const { link } of cards) {
    const subjectId = listings.get(repositoryOf(link) ?? '');
    if (subjectId === undefined || card === null) continue;
    const { name, version, provider } = card;
    const url = `https://${domain}${AGENT_CARD_PATH}`;
    add({ ...common, subjectId, fact: 'agent_card', value: { name, version, provider }, url });
  }
  for (const { link, value: skill } of indexed) {
    const subjectId = listings.get(repositoryOf(link) ?? '');
    if (subjectId === undefined) continue;
    const { name, digest } = skill;
    const url = `https://${domain}${SKILLS_INDEX_PATH}`;
    add({ ...common, subjectId, fact: 'skills_index', value: { name, digest }, url });
  }
  return replaceFacts(connection, domain, [...facts.values()]);
}

/** Stores the facts of a domain, and removes those of listings that it no longer names. */
async function replaceFacts(
  connection: Connection,
  domain: string,
  facts: readonly ObservedFact[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const name of DOMAIN_FACTS) {
    const own = facts.filter(({ fact }) => fact === name);
    const present = new Set(own.map(({ subjectId }) => subjectId));
    const before = await findListingsOfDomain(connection, name, domain);
    await lockSubjects(connection, [...new Set([...before, ...present])]);
    const former = before.filter((id) => !present.has(id));
    changed.push(...(await removeFacts(connection, former, name, domain)));
    changed.push(...(await saveFacts(connection, own)));
  }
  return [...new Set(changed)];
}

/** Returns the listings of these repositories that belong to a domain, by repository. */
async function ownListings(
  connection: Connection,
  domain: string,
  repositories: readonly string[],
): Promise<Map<string, string>> {
  if (repositories.length === 0) return new Map();
  const owners = (await readProvedDomains(connection)).filter((each) => each.domain === domain);
  const isOwn = ({ host, hostOwnerId, homepage }: NamedByDomain) =>
    owners.some((owner) => owner.host === host && owner.hostAccountId === hostOwnerId) ||
    isOnDomain(homepage, domain);
  const found = await findNamedListings(connection, repositories);
  return new Map(
    found.filter(isOwn).map((each) => [`${each.host}/${each.repository}`.toLowerCase(), each.id] as const),
  );
}

function isOnDomain(homepage: string | null, domain: string): boolean {
  if (homepage === null || !URL.canParse(homepage)) return false;
  const { hostname } = new URL(homepage);
  return hostname === domain || hostname === `www.${domain}`;
}

/** Returns the repository that an address names as `host/owner/name` in lower case: its page, or a file in it. */
function repositoryOf(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { hostname, pathname } = new URL(link);
  const host = hostname === 'raw.githubusercontent.com' ? 'github.com' : hostname;
  const [owner = '', name = ''] = pathname.split('/').filter(Boolean);
  try {
    const read = readRepositoryUrl(`https://${host}/${owner}/${name}`, REPOSITORY_HOSTS);
    return `${read.host}/${read.repository}`.toLowerCase();
  } catch {
    return null;
  }
}
