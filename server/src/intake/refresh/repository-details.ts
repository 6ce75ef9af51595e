import { type ObservedFact, removeFacts, saveFacts } from '../../catalog/facts/observed-facts.ts';
import { containerReason, ownDescription } from '../../catalog/listings/container-repository.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import {
  type RepositoryDetails,
  readRepositoryDetails,
  readsRepositoryDetails,
} from '../../hosts/lookup/host-repository-details.ts';
import type { AnswerMemory } from '../../hosts/request-host.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scheduleKnownListings } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import {
  findKnownRepository,
  type KnownListing,
  listedHosts,
  replaceDescription,
} from './refresh.queries.ts';
import type { RefreshSource } from './refresh-source.ts';

const DAY = 86_400;
/** Seconds between two readings. The facts change slowly, and a reading takes up to 20 requests. */
const CHECK_SECONDS = 14 * DAY;
const GONE_SECONDS = 30 * DAY;

/** Facts that a repository host shows in addition to the metrics in the repository's record. */
const DETAIL_FACTS = [
  'releases',
  'contributors',
  'security_policy',
  'owner_account',
  'manifest',
] as const satisfies readonly ObservedFact['fact'][];

/**
 * Creates the source of releases, contributors, security policies, owners and manifests of listed repositories. Reads
 * these details only after the repository's record, so that the host's id is known: another repository may take over
 * the name.
 */
export function repositoryDetailsSource({
  database,
  hosts,
}: {
  database: Database;
  hosts: Hosts;
}): RefreshSource {
  return createLeasedSource<{ known: KnownListing; details: RepositoryDetails }>(database, {
    name: 'details of repositories',
    source: 'repository-details',
    checkSeconds: CHECK_SECONDS,
    goneSeconds: GONE_SECONDS,
    async prepare() {
      const listed = await listedHosts(database);
      const readable = listed.filter((host) => readsRepositoryDetails(hosts, host));
      await scheduleKnownListings(database, 'repository-details', readable, null);
      return readable;
    },
    async read({ item, state }, signal) {
      const known = await findKnownRepository(database, item);
      if (known === null) {
        throw new HostFailure('unreadable', 'The identity of the listed repository is uncertain.');
      }
      const folders = known.folders.flatMap(cleanFolder);
      const memory = state as AnswerMemory;
      const readsReadme = isDescribedByReadme(known);
      const response = await readRepositoryDetails(hosts, known, { folders, readsReadme, memory, signal });
      const { details, requests, rateLimit } = response;
      return { value: { known, details }, state: response.memory, requests, rateLimit };
    },
    async store(connection, { item, host }, value) {
      if (value === null) return removeDetailFacts(connection, item, host);
      return storeDetails(connection, item, value.known, value.details);
    },
  });
}

/**
 * Removes the facts that a host showed about a listing's repository, because the host no longer has the repository.
 * Decides again which packages are confirmed, because the repository's manifests may have confirmed them. Returns the
 * subjects to be scored again.
 */
export async function removeDetailFacts(
  connection: Connection,
  listingId: string,
  host: string,
): Promise<string[]> {
  const changed: string[] = [];
  for (const fact of DETAIL_FACTS) changed.push(...(await removeFacts(connection, [listingId], fact, host)));
  if (changed.length === 0) return [];
  return [...new Set([...changed, ...(await decideAgain(connection, listingId))])];
}

async function decideAgain(connection: Connection, listingId: string): Promise<string[]> {
  const packages = await refreshPackages(connection, [listingId]);
  await packages.storeAliases();
  return packages.due;
}

/**
 * Returns a folder from an entry of the MCP registry, without leading and trailing slashes, in a list. The list is
 * empty for a path that leaves the repository or has unusual characters.
 */
function cleanFolder(folder: string): string[] {
  const parts = folder.replace(/^\.\//, '').split('/').filter(Boolean);
  const isPlain = parts.length > 0 && parts.every((part) => /^(?!\.{1,2}$)[\w.@ -]{1,100}$/.test(part));
  return isPlain ? [parts.join('/')] : [];
}

/**
 * Returns true if a repository is a container and its list describes only one of its parts. The description then comes
 * from the README. Until the README is read, the host's short text is used.
 */
function isDescribedByReadme(known: KnownListing): boolean {
  const { repository, kind, statedDescription, isRegistered, parts } = known;
  const stated = { repository, kind, description: statedDescription ?? '', parts };
  return !isRegistered && containerReason(stated) !== null && ownDescription(stated) === '';
}

async function storeDetails(
  connection: Connection,
  subjectId: string,
  known: KnownListing,
  details: RepositoryDetails,
): Promise<string[]> {
  const { host, repository } = known;
  const { releases, contributors, securityPolicy, owner, manifests, readmeLine, pages } = details;
  const common = { subjectId, source: host, license: null };
  const [account] = repository.split('/');
  const facts: ObservedFact[] = [];
  if (releases) facts.push({ ...common, fact: 'releases', value: releases, url: pages.releases });
  if (contributors !== null) {
    const value = { count: contributors };
    facts.push({ ...common, fact: 'contributors', value, url: pages.contributors });
  }
  if (securityPolicy) {
    const { present, path } = securityPolicy;
    const url = path === null ? `https://${host}/${repository}` : `${pages.files}${path}`;
    facts.push({ ...common, fact: 'security_policy', value: { present }, url });
  }
  if (owner)
    facts.push({ ...common, fact: 'owner_account', value: owner, url: `https://${host}/${account}` });
  const changed = await saveFacts(connection, facts);
  if (readmeLine !== null && readmeLine !== known.description) {
    if (await replaceDescription(connection, subjectId, known.description, readmeLine)) {
      await refreshSearch(connection, [subjectId]);
      changed.push(subjectId);
    }
  }
  if (!manifests) return changed;
  const url = manifests[0] ? `${pages.files}${manifests[0].path}` : `https://${host}/${repository}`;
  const manifest: ObservedFact = { ...common, fact: 'manifest', value: { packages: manifests }, url };
  if ((await saveFacts(connection, [manifest])).length === 0) return changed;
  // Packages are confirmed by the manifests of their repositories.
  return [...new Set([...changed, subjectId, ...(await decideAgain(connection, subjectId))])];
}
