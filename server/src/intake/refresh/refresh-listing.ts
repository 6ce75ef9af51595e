import { randomUUID } from 'node:crypto';
import { isPlaceholder } from '../../catalog/listing-changes/match-listings.ts';
import { artifactsInside } from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { hostAccountKeys, listingKey, nameKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, type RegistryKey } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { type RepositoryResponse, readHostRepository } from '../../hosts/lookup/host-repository.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import { EMBEDDED_SOURCE } from '../../scoring/embedded/current-method.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { mergeDuplicate } from './identify-repository.ts';
import { isRefusedData, problemOf, retryDelayAfter } from './leased-source.ts';
import {
  type ClaimedListing,
  claimDue,
  completeCheck,
  lockClaim,
  type RefreshOutcome,
  releaseClaim,
} from './refresh.queries.ts';
import { type RefreshedItem, retryDelaySeconds } from './refresh-source.ts';
import { removeDetailFacts } from './repository-details.ts';
import { clearFacts, confirmFacts } from './store-facts.queries.ts';
import { type StoredReading, storeReading } from './store-reading.ts';

export interface RefreshDependencies {
  readonly database: Database;
  readonly backend: ScoringBackend;
  readonly hosts: Hosts;
}

/**
 * Outcome for the listing that had been due the longest. `limited`: the host limits our requests. `lost`: the lease
 * expired, and another process may have taken over. In both cases nothing is changed. `merged`: another listing had the
 * same repository, and the two were merged into one.
 */
export interface RefreshedListing extends RefreshedItem {
  readonly repository: string;
  readonly outcome: RefreshOutcome | 'limited' | 'lost' | 'merged';
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/**
 * Seconds between two checks of a listing: one day less than the validity of a score, so that scores are renewed before
 * they expire.
 */
const CHECK_SECONDS = 6 * DAY;
const GONE_SECONDS = 30 * DAY;

/**
 * Reads the listing of these hosts that has been due the longest, stores the answer, and scores the listing or, with a
 * remote scoring backend, queues it. Returns null if none is due. The request runs between two transactions, under a
 * lease that only this process has. A host's failure is an outcome, not an error. After any other error or an abort,
 * releases the lease and throws.
 */
export async function refreshNextListing(
  parts: RefreshDependencies,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<RefreshedListing | null> {
  const claimed = await claimDue(parts.database, randomUUID(), hosts);
  if (claimed === null) return null;
  const { host, repository } = claimed;
  try {
    const answer = await askFor(parts.hosts, claimed, signal);
    const stored = await store(parts, claimed, answer);
    const isDuplicate = stored === 'duplicate' && answer.reading !== null;
    const isMerged = isDuplicate && (await mergeDuplicate(parts.database, claimed, answer.reading));
    const outcome = isMerged ? 'merged' : stored;
    return { host, repository, outcome, retryAfterSeconds: retryDelayAfter(answer.rateLimit) };
  } catch (error) {
    if (error instanceof HostFailure && error.kind === 'limited') {
      await releaseClaim(parts.database, claimed);
      return { host, repository, outcome: 'limited', retryAfterSeconds: error.retryAfterSeconds ?? HOUR };
    }
    const isGone = error instanceof HostFailure && error.kind === 'not_found';
    if (!(error instanceof HostFailure) && !isRefusedData(error)) {
      await releaseClaim(parts.database, claimed).catch(() => undefined);
      throw error;
    }
    const outcome = await (isGone ? storeGone(parts, claimed) : storeFailure(parts, claimed));
    const problems = isGone ? [] : [problemOf(error)];
    return { host, repository, outcome, retryAfterSeconds: null, problems };
  }
}

/**
 * Requests a repository by its id if the id is known, because another repository can take over its name. If the host no
 * longer has the id, requests the name, to find out whether another repository has it now. No repository can have a
 * placeholder name (`isPlaceholder`), so the error is then thrown instead.
 */
async function askFor(
  hosts: Hosts,
  claimed: ClaimedListing,
  signal: AbortSignal,
): Promise<RepositoryResponse> {
  const { host, repository, hostRepositoryId: id, etag, lastModified } = claimed;
  const hasValidators = etag !== null || lastModified !== null;
  const since = hasValidators ? { since: { etag, lastModified } } : {};
  const byName = { host, by: { name: repository }, signal };
  if (id === null) return readHostRepository(hosts, { ...byName, ...since });
  try {
    return await readHostRepository(hosts, { host, by: { id }, signal, ...since });
  } catch (error) {
    const isGone = error instanceof HostFailure && error.kind === 'not_found';
    if (!isGone || isPlaceholder(repository)) throw error;
    return readHostRepository(hosts, byName);
  }
}

async function store(
  parts: RefreshDependencies,
  claimed: ClaimedListing,
  { reading, validators }: RepositoryResponse,
): Promise<Settled> {
  const { host, repository } = claimed;
  const news =
    reading === null
      ? []
      : [nameKey(repository), nameKey(reading.repository), ...hostAccountKeys(host, reading.hostOwnerId)];
  return settle(parts, claimed, news, async (connection) => {
    if (reading === null) {
      await lockSubjects(connection, [claimed.id]);
      await confirmFacts(connection, claimed.id);
      const change = { outcome: 'unchanged', due: [claimed.id], dueByLineage: [] } as const;
      return { change, check: { nextCheckSeconds: CHECK_SECONDS, failures: 0, confirms: true } };
    }
    const change = await storeReading(connection, claimed, reading);
    const isReplaced = change.outcome === 'replaced';
    // Another repository has the listing's name: schedules the next check at once, to find the listing's own repository
    // by id. Clears the validators, because they belong to the other repository.
    const newValidators = isReplaced ? { etag: null, lastModified: null } : validators;
    const nextCheckSeconds = isReplaced ? 0 : CHECK_SECONDS;
    return {
      change,
      check: { nextCheckSeconds, failures: 0, validators: newValidators, confirms: !isReplaced },
    };
  });
}

function storeGone(parts: RefreshDependencies, claimed: ClaimedListing): Promise<Settled> {
  return settle(parts, claimed, [], async (connection) => {
    await lockSubjects(connection, [claimed.id]);
    await clearFacts(connection, claimed.id);
    const due = await removeDetailFacts(connection, claimed.id, claimed.host);
    const change = { outcome: 'gone' as const, due: [...new Set([claimed.id, ...due])], dueByLineage: [] };
    const validators = { etag: null, lastModified: null };
    return { change, check: { nextCheckSeconds: GONE_SECONDS, failures: 0, validators, confirms: false } };
  });
}

function storeFailure(parts: RefreshDependencies, claimed: ClaimedListing): Promise<Settled> {
  const failures = claimed.failures + 1;
  const nextCheckSeconds = retryDelaySeconds(failures, CHECK_SECONDS);
  const change = { outcome: 'failed', due: [], dueByLineage: [] } as const;
  return settle(parts, claimed, [], async () => ({
    change,
    check: { nextCheckSeconds, failures, confirms: false },
  }));
}

type Settled = RefreshOutcome | 'lost';

interface Change {
  change: StoredReading;
  check: Omit<Parameters<typeof completeCheck>[2], 'outcome'>;
}

/** Runs one transaction with the change, its scores and the end of the lease. An expired lease changes nothing. */
function settle(
  { database, backend }: RefreshDependencies,
  claimed: ClaimedListing,
  keys: readonly RegistryKey[],
  work: (connection: Connection) => Promise<Change>,
): Promise<Settled> {
  return inRegistryTransaction(database, async (connection) => {
    await lockKeys(connection, [listingKey(claimed.id), ...keys]);
    if (!(await lockClaim(connection, claimed))) return 'lost';
    const { change, check } = await work(connection);
    await completeCheck(connection, claimed.id, { ...check, outcome: change.outcome });
    await scoreAgain(connection, backend, claimed.id, change);
    return change.outcome;
  });
}

async function scoreAgain(
  connection: Connection,
  backend: ScoringBackend,
  id: string,
  { due, dueByLineage }: StoredReading,
): Promise<void> {
  if (due.length === 0) return;
  const inside = await artifactsInside(connection, [id]);
  await enqueueScoring(connection, [...due, ...inside], dueByLineage);
  if (backend.source === EMBEDDED_SOURCE) await scoreSubjects(connection, backend, [id]);
}
