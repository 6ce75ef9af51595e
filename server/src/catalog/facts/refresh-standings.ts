import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { HIJACK_WARNING_DAYS } from '../../scoring/verdict/reasons.ts';
import type { PackageName } from '../advisories/ecosystems.ts';
import { MAX_READING_AGE_DAYS } from '../advisories/judge-packages.ts';
import { artifactsInside } from '../listings/listing-aliases.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import {
  listingsPastDays,
  listingsToJudgeAgain,
  listingsWithPackages,
  nextWithJudgedPackage,
} from './package-standing.queries.ts';
import { refreshPackageStandings } from './package-standing.ts';

/** Maximum listings per transaction. */
const BATCH_SIZE = 500;
/** Maximum packages per statement; the limit of `batchRows`. */
const MAX_PACKAGES = 10_000;
const BEFORE_FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Judges the packages of all listings again after advisories have changed, and queues the listings whose standing
 * changed for scoring. Each batch runs in its own transaction. Returns the number of listings whose standing changed.
 */
export async function refreshAllStandings(database: Database): Promise<number> {
  let changed = 0;
  let after: string | undefined = BEFORE_FIRST;
  while (after !== undefined) {
    const ids: string[] = await nextWithJudgedPackage(database, after, BATCH_SIZE);
    changed += ids.length === 0 ? 0 : await refreshBatch(database, ids);
    after = ids.at(-1);
  }
  return changed;
}

/**
 * Judges the listings of these packages again, in an open transaction that has not locked any other subject. Returns
 * the listings whose standing changed; they must be scored again.
 */
export async function refreshStandingsOf(
  connection: Connection,
  packages: readonly PackageName[],
): Promise<string[]> {
  const found = new Set<string>();
  for (let first = 0; first < packages.length; first += MAX_PACKAGES)
    for (const id of await listingsWithPackages(connection, packages.slice(first, first + MAX_PACKAGES)))
      found.add(id);
  const ids = [...found];
  await lockSubjects(connection, ids);
  return refreshPackageStandings(connection, ids);
}

function refreshBatch(database: Database, ids: readonly string[]): Promise<number> {
  return retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lockSubjects(connection, ids);
      const changed = await refreshPackageStandings(connection, ids);
      await enqueueWithArtifacts(connection, changed);
      return changed.length;
    }),
  );
}

/**
 * Queues listings and the artifacts inside them for scoring, because artifacts are scored on facts of their listing.
 */
async function enqueueWithArtifacts(connection: Connection, ids: readonly string[]): Promise<void> {
  await enqueueScoring(connection, [...ids, ...(await artifactsInside(connection, ids))]);
}

/**
 * Creates a job for changes that only the passage of time causes. The job queues listings whose Warning about hijacked
 * versions has expired: no fact changes at that time, so without the job the stored score would keep the Warning. The
 * job also judges listings again whose advisories were last read so long ago that a package can no longer count as not
 * affected. The job returns the number of listings that it queued or changed.
 */
export function createStandingJob(database: Database): () => Promise<number> {
  return async () => {
    const expired = await listingsPastDays(database, HIJACK_WARNING_DAYS, BATCH_SIZE);
    if (expired.length > 0)
      await inTransaction(database, (connection) => enqueueWithArtifacts(connection, expired));
    let judged = 0;
    for (;;) {
      const ids = await listingsToJudgeAgain(database, MAX_READING_AGE_DAYS, BATCH_SIZE);
      const changed = ids.length === 0 ? 0 : await refreshBatch(database, ids);
      judged += changed;
      // Without a change, the same listings would be returned again.
      if (ids.length < BATCH_SIZE || changed === 0) return expired.length + judged;
    }
  };
}
