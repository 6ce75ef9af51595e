import { randomUUID } from 'node:crypto';
import { artifactsInside } from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { listingKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, lockRegistry } from '../../catalog/registry-locks.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import type { RateLimit } from '../../hosts/request-host.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import {
  type ClaimedItem,
  claimItem,
  completeItem,
  countDueItems,
  lockItem,
  type ReadingOutcome,
  releaseItem,
} from './leased-source.queries.ts';
import { type RefreshedItem, type RefreshSource, retryDelaySeconds } from './refresh-source.ts';

/** Usable answer of a source about one item. */
export interface SourceAnswer<Value> {
  /** Null if nothing has changed since the last reading. */
  readonly value: Value | null;
  /** State for the next reading. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Number of requests that were sent. */
  readonly requests: number;
  readonly rateLimit: RateLimit;
  /** Seconds until the next reading, if it differs from `checkSeconds`; 0 to continue at once. */
  readonly nextCheckSeconds?: number;
  /** Texts for people about parts of the answer that could not be used. */
  readonly problems?: readonly string[];
}

/** Definition of a source whose items are read under leases in the table `source_reading`. */
export interface LeasedSourceDefinition<Value> {
  /** Name that people see, in the plural. */
  readonly name: string;
  /** Name in the table. It must not change. */
  readonly source: string;
  /**
   * Seconds between two readings of an item. `goneSeconds` applies after the source has answered that it has no such
   * item.
   */
  readonly checkSeconds: number;
  readonly goneSeconds: number;
  /** True to lock the whole directory (`lockRegistry`) while a value is stored, as an import does. */
  readonly locksRegistry?: boolean;
  /** Schedules new items, and returns the hosts that are read. */
  prepare(): Promise<readonly string[]>;
  /** Sends the requests for one item. No transaction is open. A failure of the host is a HostFailure. */
  read(claimed: ClaimedItem, signal: AbortSignal): Promise<SourceAnswer<Value>>;
  /**
   * Stores a value; null means that the source has no such item any more. Runs in a transaction that has locked the
   * item's listing, if it has one. Returns the subjects to be scored again.
   */
  store(connection: Connection, claimed: ClaimedItem, value: Value | null): Promise<readonly string[]>;
  /** Renews the stored values of an item that has not changed. */
  confirm?(connection: Connection, claimed: ClaimedItem): Promise<void>;
}

/** Requests of a host's rate limit that a refresh leaves for proofs of accounts, because people wait for proofs. */
const REQUESTS_FOR_PROOFS = 5;
const HOUR_SECONDS = 3_600;

/**
 * Creates a source from its definition. The requests for an item run between two transactions, under a lease that only
 * this process has. After a failure of the host, the item is due again after an hour; each further failure doubles this
 * delay, up to `checkSeconds`.
 */
export function createLeasedSource<Value>(
  database: Database,
  definition: LeasedSourceDefinition<Value>,
): RefreshSource {
  const { name, source } = definition;
  return {
    name,
    prepare: () => definition.prepare(),
    countDue: (hosts) => countDueItems(database, source, hosts),
    async refreshNext(hosts, signal) {
      const claimed = await claimItem(database, source, randomUUID(), hosts);
      return claimed === null ? null : readItem(database, definition, claimed, signal);
    },
  };
}

async function readItem<Value>(
  database: Database,
  definition: LeasedSourceDefinition<Value>,
  claimed: ClaimedItem,
  signal: AbortSignal,
): Promise<RefreshedItem> {
  const { host } = claimed;
  try {
    const answer = await definition.read(claimed, signal);
    const { value, state, requests, nextCheckSeconds = definition.checkSeconds } = answer;
    const isUnchanged = value === null;
    const check = { nextCheckSeconds, failures: 0, requests, state };
    const work = (connection: Connection) =>
      isUnchanged ? confirm(definition, connection, claimed) : definition.store(connection, claimed, value);
    const locksAll = definition.locksRegistry === true;
    const reached = isUnchanged ? 'unchanged' : 'read';
    const outcome = await settle(database, claimed, reached, check, work, locksAll);
    const { problems = [] } = answer;
    return { host, outcome, retryAfterSeconds: retryDelayAfter(answer.rateLimit), problems };
  } catch (error) {
    if (error instanceof HostFailure && error.kind === 'limited') {
      await releaseItem(database, claimed);
      return { host, outcome: 'limited', retryAfterSeconds: error.retryAfterSeconds ?? HOUR_SECONDS };
    }
    if (!(error instanceof HostFailure) && !isRefusedData(error)) {
      await releaseItem(database, claimed).catch(() => undefined);
      throw error;
    }
    const isGone = error instanceof HostFailure && error.kind === 'not_found';
    const outcome = await (isGone
      ? storeGone(database, definition, claimed)
      : storeFailure(database, definition, claimed));
    return { host, outcome, retryAfterSeconds: null, problems: isGone ? [] : [problemOf(error)] };
  }
}

async function confirm<Value>(
  definition: LeasedSourceDefinition<Value>,
  connection: Connection,
  claimed: ClaimedItem,
): Promise<readonly string[]> {
  await definition.confirm?.(connection, claimed);
  return [];
}

function storeGone<Value>(
  database: Database,
  definition: LeasedSourceDefinition<Value>,
  claimed: ClaimedItem,
): Promise<ReadingOutcome | 'lost'> {
  const check = { nextCheckSeconds: definition.goneSeconds, failures: 0, requests: 1, state: {} };
  return settle(database, claimed, 'gone', check, (connection) =>
    definition.store(connection, claimed, null),
  );
}

function storeFailure<Value>(
  database: Database,
  { checkSeconds }: LeasedSourceDefinition<Value>,
  claimed: ClaimedItem,
): Promise<ReadingOutcome | 'lost'> {
  const failures = claimed.failures + 1;
  const nextCheckSeconds = retryDelaySeconds(failures, checkSeconds);
  return settle(database, claimed, 'failed', { nextCheckSeconds, failures, requests: 1 }, async () => []);
}

/**
 * Applies the change, queues the subjects to be scored and ends the lease, in one transaction. Returns `lost` and
 * changes nothing if the lease has expired and another process may have claimed the item.
 */
function settle(
  database: Database,
  claimed: ClaimedItem,
  outcome: ReadingOutcome,
  check: Omit<Parameters<typeof completeItem>[2], 'outcome'>,
  work: (connection: Connection) => Promise<readonly string[]>,
  locksAll = false,
): Promise<ReadingOutcome | 'lost'> {
  const listings = claimed.listingId === null ? [] : [claimed.listingId];
  return inRegistryTransaction(database, async (connection) => {
    await (locksAll ? lockRegistry(connection) : lockKeys(connection, listings.map(listingKey)));
    if (!(await lockItem(connection, claimed))) return 'lost';
    await lockSubjects(connection, listings);
    const due = await work(connection);
    await completeItem(connection, claimed, { ...check, outcome });
    const inside = due.length === 0 ? [] : await artifactsInside(connection, due);
    await enqueueScoring(connection, [...new Set([...due, ...inside])]);
    return outcome;
  });
}

/**
 * Returns true if the database has rejected a value. The item is then retried later, as after a failure of its host.
 */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error)?.code ?? '');
}

/** Returns a text for people that says why an item could not be read. */
export function problemOf(error: unknown): string {
  return error instanceof HostFailure ? error.message : 'The database rejected a value.';
}

/** Returns for how many seconds a host must not be called, because few requests remain; null if it may be called. */
export function retryDelayAfter({ remaining, resetSeconds }: RateLimit): number | null {
  return remaining !== null && remaining <= REQUESTS_FOR_PROOFS ? (resetSeconds ?? HOUR_SECONDS) : null;
}
