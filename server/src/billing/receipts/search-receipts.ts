import { findSubjectIds } from '../../catalog/subjects/find-by-address.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import type { Facts } from '../../scoring/fact-types.ts';
import type { Cap, Contribution, Tier } from '../../scoring/scoring-backend.ts';
import {
  type FoundRuns,
  lookUpReceipts,
  type ReceiptFilters,
  requireCaller,
  timeRangeOf,
} from './read-receipts.ts';
import { findRunsOf } from './receipt.queries.ts';
import type { RunPosition } from './search-runs.queries.ts';
import { searchRuns } from './search-runs.queries.ts';

/** Search for calls of an account. */
export interface ReceiptSearch extends ReceiptFilters {
  /** Selects calls with this key; null for any. */
  keyId: string | null;
  /**
   * Text to search for. It matches calls about a subject that the text identifies, or whose name, repository or handle
   * contains the text, and calls with one of `keyIds`. Null matches all calls.
   */
  text: string | null;
  keyIds: readonly string[];
}

/** Maximum number of calls of each operation and state that one statement reads. */
const CALLS_PER_STATEMENT = 5_000;
/**
 * Number of calls read for a page after which no further statement is sent, so that a page takes bounded time even with
 * millions of calls.
 */
const MAX_CALLS_READ = 40_000;

/**
 * Reads a caller and the matching runs of the account, newest first: one page, plus one run if there are more. Searches
 * a bounded number of calls per page, because no index contains the subject or the key of a call: such an index would
 * make every call more expensive. Throws invalid_request for a cursor of another list and for invalid days, and 401 for
 * an invalid caller.
 */
export async function searchReceipts(
  connection: Connection,
  publicUrls: PublicUrls,
  credential: Credential,
  search: ReceiptSearch,
): Promise<FoundRuns> {
  const { text, keyId } = search;
  if (text === null && keyId === null) return lookUpReceipts(connection, credential, search);
  const subjectIds = text === null ? [] : await findSubjectIds(connection, text, publicUrls);
  const { ids, stoppedAt } = await searchNewestRuns(connection, credential, { ...search, subjectIds });
  return { ...(await requireCaller(credential, findRunsOf(connection, credential, ids))), stoppedAt };
}

/**
 * Returns the ids of the newest matching calls, at most one more than a page. The search also ends after
 * `MAX_CALLS_READ` calls, however few match. `stoppedAt` is the call at which it ended; null if no older calls of the
 * requested days remain.
 */
async function searchNewestRuns(
  connection: Connection,
  credential: Credential,
  { cursor, from, to, limit, ...wanted }: ReceiptSearch & { subjectIds: readonly string[] },
): Promise<{ ids: string[]; stoppedAt: RunPosition | null }> {
  const { before, since } = timeRangeOf({ cursor, from, to });
  const ids: string[] = [];
  let stoppedAt = before;
  let read = 0;
  do {
    const most = limit + 1 - ids.length;
    const look = { ...wanted, before: stoppedAt, since, limit: CALLS_PER_STATEMENT, most };
    const searched = await searchRuns(connection, credential, look);
    await requireCaller(credential, Promise.resolve({ caller: searched.caller, runs: [] }));
    ids.push(...searched.ledgerIds);
    read += searched.runsRead;
    stoppedAt = searched.stoppedAt;
  } while (stoppedAt !== null && ids.length <= limit && read < MAX_CALLS_READ);
  return { ids, stoppedAt };
}

/** A score as a call returned it. */
export interface BoughtScore {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  contributions: Contribution[];
  caps: Cap[];
  facts: Facts | null;
  /** Time of the facts; null if not recorded. */
  factsAt: string | null;
  /** True if the score is still the subject's current one. */
  isCurrent: boolean;
}
