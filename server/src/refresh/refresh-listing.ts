import { randomUUID } from 'node:crypto';
import type { Connection, Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { HostFailure } from '../hosts/host-failure.ts';
import { type RepositoryAnswer, readHostRepository } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { artifactsInside } from '../registry/listings/listing-aliases.ts';
import { isPlaceholder } from '../registry/listings/match-listings.ts';
import { lockSubjects } from '../registry/listings/write-listings.ts';
import { lockLineage, shareLineage } from '../registry/relations/lineage-edges.ts';
import { EMBEDDED_SOURCE } from '../scoring/embedded/rs-1.0.0.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { scoreSubjects } from '../scoring/score-subjects.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import {
  type ClaimedListing,
  claimDue,
  holdsClaim,
  type RefreshOutcome,
  releaseClaim,
  settleCheck,
} from './refresh.repository.ts';
import { confirmFacts, forgetFacts } from './store-facts.repository.ts';
import { type StoredReading, storeReading } from './store-reading.ts';

/** What refreshing works with. */
export interface RefreshParts {
  readonly database: Database;
  readonly backend: ScoringBackend;
  readonly hosts: Hosts;
}

/**
 * What became of the listing that had waited longest. `limited`: the host asks for a rest; `lost`: it took so long that
 * another process has the claim. Both change nothing.
 */
export interface RefreshedListing {
  readonly host: string;
  readonly repository: string;
  readonly outcome: RefreshOutcome | 'limited' | 'lost';
  /** How long the host is to be left alone; null where it may be asked on. */
  readonly restSeconds: number | null;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A day less than a score lasts, so that it is renewed before. */
const CHECK_SECONDS = 6 * DAY;
const GONE_SECONDS = 30 * DAY;
/** What a host leaves us of its allowance is kept for proofs of accounts, which people wait for. */
const RESERVED_REQUESTS = 5;

/**
 * Reads the listing of these hosts that has waited longest, stores what its host says and scores it again; null when none
 * is due. The call is made between two transactions, under a claim that no other process shares. A signal gives the claim
 * back; whatever the host does is an outcome, never an error.
 */
export async function refreshNextListing(
  parts: RefreshParts,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<RefreshedListing | null> {
  const claimed = await claimDue(parts.database, randomUUID(), hosts);
  if (claimed === null) return null;
  const { host, repository } = claimed;
  try {
    const answer = await askFor(parts.hosts, claimed, signal);
    const outcome = await store(parts, claimed, answer);
    return { host, repository, outcome, restSeconds: restAfter(answer) };
  } catch (error) {
    if (error instanceof HostFailure && error.kind === 'limited') {
      await releaseClaim(parts.database, claimed);
      return { host, repository, outcome: 'limited', restSeconds: error.retryAfterSeconds ?? HOUR };
    }
    const isGone = error instanceof HostFailure && error.kind === 'not_found';
    if (!(error instanceof HostFailure) && !isRefusedData(error)) {
      await releaseClaim(parts.database, claimed).catch(() => undefined);
      throw error;
    }
    const outcome = await (isGone ? storeGone(parts, claimed) : storeFailure(parts, claimed));
    return { host, repository, outcome, restSeconds: null };
  }
}

/** A value that the database does not take would stop every run at the same listing: it waits like a failed one. */
function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error)?.code ?? '');
}

/**
 * Asks by the known id: a name can be freed and taken by another repository. A host that knows the id no more is asked
 * whether another repository has the name.
 */
async function askFor(hosts: Hosts, claimed: ClaimedListing, signal: AbortSignal): Promise<RepositoryAnswer> {
  const { host, repository, hostRepositoryId: id, etag, lastModified } = claimed;
  const isMarked = etag !== null || lastModified !== null;
  const since = isMarked ? { since: { etag, lastModified } } : {};
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
  parts: RefreshParts,
  claimed: ClaimedListing,
  { reading, validators }: RepositoryAnswer,
): Promise<Settled> {
  // Confirming the facts of one listing changes no name, owner or edge: any number of those go on beside each other.
  const lock = reading === null ? shareLineage : lockLineage;
  return settle(parts, claimed, lock, async (connection) => {
    if (reading === null) {
      await lockSubjects(connection, [claimed.id]);
      await confirmFacts(connection, claimed.id);
      const change = { outcome: 'unchanged', due: [claimed.id], dueByLineage: [] } as const;
      return { change, check: { nextCheckSeconds: CHECK_SECONDS, failures: 0, confirms: true } };
    }
    const change = await storeReading(connection, claimed, reading);
    const isReplaced = change.outcome === 'replaced';
    // Its own repository is looked for at once, by id; what was marked belongs to another one.
    const marks = isReplaced ? { etag: null, lastModified: null } : validators;
    const nextCheckSeconds = isReplaced ? 0 : CHECK_SECONDS;
    return { change, check: { nextCheckSeconds, failures: 0, validators: marks, confirms: !isReplaced } };
  });
}

function storeGone(parts: RefreshParts, claimed: ClaimedListing): Promise<Settled> {
  return settle(parts, claimed, lockLineage, async (connection) => {
    await lockSubjects(connection, [claimed.id]);
    await forgetFacts(connection, claimed.id);
    const change = { outcome: 'gone', due: [claimed.id], dueByLineage: [] } as const;
    const validators = { etag: null, lastModified: null };
    return { change, check: { nextCheckSeconds: GONE_SECONDS, failures: 0, validators, confirms: false } };
  });
}

function storeFailure(parts: RefreshParts, claimed: ClaimedListing): Promise<Settled> {
  const failures = claimed.failures + 1;
  const nextCheckSeconds = Math.min(HOUR * 2 ** (failures - 1), CHECK_SECONDS);
  const change = { outcome: 'failed', due: [], dueByLineage: [] } as const;
  return settle(parts, claimed, shareLineage, async () => ({
    change,
    check: { nextCheckSeconds, failures, confirms: false },
  }));
}

type Settled = RefreshOutcome | 'lost';

interface Change {
  change: StoredReading;
  check: Omit<Parameters<typeof settleCheck>[2], 'outcome'>;
}

/** One transaction: the change, its scores and the end of the claim. A claim that ran out changes nothing. */
function settle(
  { database, backend }: RefreshParts,
  claimed: ClaimedListing,
  lock: typeof lockLineage,
  work: (connection: Connection) => Promise<Change>,
): Promise<Settled> {
  return retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lock(connection);
      if (!(await holdsClaim(connection, claimed))) return 'lost';
      const { change, check } = await work(connection);
      await settleCheck(connection, claimed.id, { ...check, outcome: change.outcome });
      await scoreAgain(connection, backend, claimed.id, change);
      return change.outcome;
    }),
  );
}

async function scoreAgain(
  connection: Connection,
  backend: ScoringBackend,
  id: string,
  { due, dueByLineage }: StoredReading,
): Promise<void> {
  if (due.length === 0) return;
  const inside = await artifactsInside(connection, [id]);
  await noteScoreDue(connection, [...due, ...inside], dueByLineage);
  if (backend.source === EMBEDDED_SOURCE) await scoreSubjects(connection, backend, [id]);
}

function restAfter({ allowance }: RepositoryAnswer): number | null {
  const { remaining, resetSeconds } = allowance;
  return remaining !== null && remaining <= RESERVED_REQUESTS ? (resetSeconds ?? HOUR) : null;
}
