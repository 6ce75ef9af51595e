import { type ObservedFact, removeFacts, saveFacts } from '../../catalog/facts/observed-facts.ts';
import { artifactsInside } from '../../catalog/listings/listing-aliases.ts';
import type { RowOutcome, SavedBatch } from '../../catalog/listings/listing-row.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { readRepositoryUrl } from '../../catalog/repository-url.ts';
import { BUILT_IN_HOSTS } from '../../catalog/subjects/public-path.ts';
import { AGENT_CARD_PATH, SKILLS_INDEX_PATH, type WellKnownFiles } from '../../hosts/lookup/well-known.ts';
import { readProvedDomains } from '../../ownership/proofs/link-account.ts';
import type { Connection } from '../../platform/database/connect.ts';
import {
  DOMAIN_FACTS,
  findListingsOfDomain,
  findNamedListings,
  loadWellKnownDomains,
  type NamedByDomain,
} from './well-known.queries.ts';

/** A file that a domain publishes about its agents or skills. */
export interface WellKnownRow {
  domain: string;
  files: Partial<WellKnownFiles>;
}

/** Maximum skills of an index that are stored for one repository. */
const MAX_SKILLS = 100;

/**
 * Stores imported agent cards and indexes of skills. As in a refresh, a domain counts only if it proves an organisation
 * or is on the operator's list. A file has no date: it counts as read at `readAt`, by default now. A file of a domain
 * that a refresh has already read changes nothing. The caller has called lockRegistry.
 */
export async function saveWellKnown(
  connection: Connection,
  rows: readonly WellKnownRow[],
  readAt: Date | null,
): Promise<SavedBatch> {
  const proved = (await readProvedDomains(connection)).map(({ domain }) => domain);
  const scheduled = await loadWellKnownDomains(connection);
  const trusted = new Set([...proved, ...scheduled.map(({ domain }) => domain)]);
  const wasRead = new Set(scheduled.filter((each) => each.wasRead).map(({ domain }) => domain));
  const outcomes: RowOutcome[] = [];
  const due: string[] = [];
  for (const { domain, files } of rows) {
    if (!trusted.has(domain)) {
      const reason = 'the domain proves no organisation and is not in WELL_KNOWN_DOMAINS';
      outcomes.push({ code: 'not_listed', reason });
    } else {
      const changed = wasRead.has(domain) ? [] : await storeWellKnown(connection, domain, files, readAt);
      outcomes.push(changed.length > 0 ? 'changed' : 'unchanged');
      due.push(...changed);
    }
  }
  const inside = await artifactsInside(connection, due);
  return { outcomes, saved: [], due: [...new Set([...due, ...inside])], dueByLineage: [] };
}

/**
 * Stores the files that a domain publishes, as facts of the domain's own listings that the files name (`ownListings`),
 * and removes such facts from listings that the files no longer name. A file that is left out changes nothing; null
 * means that the domain publishes no such file. `readAt` is the time of the reading, by default now. Returns the
 * subjects to be scored again.
 */
export async function storeWellKnown(
  connection: Connection,
  domain: string,
  files: Partial<WellKnownFiles>,
  readAt: Date | null = null,
): Promise<string[]> {
  const { card = null, skills = null } = files;
  const cards = (card?.links ?? []).map((link) => ({ link, value: card }));
  const indexed = (skills ?? []).map((skill) => ({ link: skill.link, value: skill }));
  const named = [...cards, ...indexed].flatMap(({ link }) => repositoryOf(link) ?? []);
  const listings = await ownListings(connection, domain, [...new Set(named)]);
  const observed = readAt === null ? {} : { observedAt: readAt.toISOString() };
  const common = { source: domain, license: null, ...observed };
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
  for (const subjectId of new Set(listings.values())) {
    const named = indexed.filter(({ link }) => listings.get(repositoryOf(link) ?? '') === subjectId);
    const [first] = named;
    if (first === undefined) continue;
    const all = named.map(({ value: { name, digest } }) => ({ name, digest }));
    const { name, digest } = first.value;
    const value = { name, digest, ...(all.length > 1 && { skills: all.slice(0, MAX_SKILLS) }) };
    add({ ...common, subjectId, fact: 'skills_index', value, url: `https://${domain}${SKILLS_INDEX_PATH}` });
  }
  const present = DOMAIN_FACTS.filter(
    (name) => (name === 'agent_card' ? files.card : files.skills) !== undefined,
  );
  return replaceFacts(connection, domain, [...facts.values()], present);
}

/** Stores the facts that a domain states, and removes its facts from listings that it no longer names. */
async function replaceFacts(
  connection: Connection,
  domain: string,
  facts: readonly ObservedFact[],
  names: readonly (typeof DOMAIN_FACTS)[number][],
): Promise<string[]> {
  const changed: string[] = [];
  // Locks the listings of all facts together: several rounds of locks would not be in the order of ids, and could
  // deadlock.
  const stored = [];
  for (const name of names)
    stored.push({ name, before: await findListingsOfDomain(connection, name, domain) });
  const named = facts.map(({ subjectId }) => subjectId);
  await lockSubjects(connection, [...new Set([...named, ...stored.flatMap(({ before }) => before)])]);
  for (const { name, before } of stored) {
    const own = facts.filter(({ fact }) => fact === name);
    const present = new Set(own.map(({ subjectId }) => subjectId));
    const former = before.filter((id) => !present.has(id));
    changed.push(...(await removeFacts(connection, former, name, domain)));
    changed.push(...(await saveFacts(connection, own)));
  }
  return [...new Set(changed)];
}

/**
 * Returns the listings of these repositories that belong to a domain, by repository: those of an owner whose proof is a
 * DNS record of the domain, and those whose home page is on the domain.
 */
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

/** Returns the repository with this page or file, as `host/owner/name` in lower case; null for other addresses. */
function repositoryOf(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { hostname, pathname } = new URL(link);
  const host = hostname === 'raw.githubusercontent.com' ? 'github.com' : hostname;
  const [owner = '', name = ''] = pathname.split('/').filter(Boolean);
  try {
    const read = readRepositoryUrl(`https://${host}/${owner}/${name}`, BUILT_IN_HOSTS);
    return `${read.host}/${read.repository}`.toLowerCase();
  } catch {
    return null;
  }
}
