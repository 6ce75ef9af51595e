import type { Credential } from '../callers/principal.ts';
import type { Connection } from '../database/connect.ts';
import type { Naming } from '../subjects/naming.ts';
import { subjectsCalled } from '../subjects/subjects-called.ts';
import type { RunPlace } from './newest-runs.sql.ts';
import {
  type FoundRuns,
  lookUpReceipts,
  placeOf,
  type ReceiptFilters,
  requireCaller,
} from './read-receipts.ts';
import { findRunsOf } from './receipt.repository.ts';
import { searchRuns } from './search-runs.repository.ts';

/** What somebody looks for among the calls of their account. */
export interface ReceiptSearch extends ReceiptFilters {
  /** Only calls with this key; null for any. */
  keyId: string | null;
  /**
   * What a call is about: any name that leads to it, or part of its name, repository or handle. Calls with one of `keyIds`
   * are meant by it too. Null for whatever a call is about.
   */
  text: string | null;
  keyIds: readonly string[];
}

/** Calls of each operation and state that one statement reads. */
const AT_ONCE = 5_000;
/** No further look begins once so many calls were read: a page takes as long on an account with millions of calls. */
const ENOUGH = 40_000;

/**
 * Whose a credential is, with the runs of their account that a search means, newest first, and one more than a page where
 * there are more: from as many of the newest calls as one page has time for. Calls are kept in the order of time alone:
 * another order would cost every call of everybody. Throws invalid_request for a cursor of another list and for days that
 * are none; 401.
 */
export async function searchReceipts(
  connection: Connection,
  naming: Naming,
  credential: Credential,
  search: ReceiptSearch,
): Promise<FoundRuns> {
  const { text, keyId } = search;
  if (text === null && keyId === null) return lookUpReceipts(connection, credential, search);
  const subjectIds = text === null ? [] : await subjectsCalled(connection, text, naming);
  const { ids, edge } = await lookBack(connection, credential, { ...search, subjectIds });
  return { ...(await requireCaller(credential, findRunsOf(connection, credential, ids))), edge };
}

/** The ids of the newest calls that are meant, one more than a page where there are more, and where the look back ended. */
async function lookBack(
  connection: Connection,
  credential: Credential,
  { cursor, from, to, limit, ...wanted }: ReceiptSearch & { subjectIds: readonly string[] },
): Promise<{ ids: string[]; edge: RunPlace | null }> {
  const { before, since } = placeOf({ cursor, from, to });
  const ids: string[] = [];
  let edge = before;
  let read = 0;
  do {
    const most = limit + 1 - ids.length;
    const look = { ...wanted, before: edge, since, limit: AT_ONCE, most };
    const searched = await searchRuns(connection, credential, look);
    await requireCaller(credential, Promise.resolve({ caller: searched.caller, runs: [] }));
    ids.push(...searched.ledgerIds);
    read += searched.lookedAt;
    edge = searched.edge;
  } while (edge !== null && ids.length <= limit && read < ENOUGH);
  return { ids, edge };
}
