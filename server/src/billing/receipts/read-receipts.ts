import type { CallerRow } from '../../access/callers/caller.fragment.ts';
import { recordSessionUse } from '../../access/callers/session.ts';
import { addDays, type Day, type Days, requireDays } from '../../access/plans/days.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../catalog/subjects/resolve-subject.ts';
import { loadSubjects } from '../../catalog/subjects/subject.presenter.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type Credential, requireValidCaller } from '../../platform/http/credentials/principal.ts';
import { isUtcText } from '../../platform/text/request-text.ts';
import { findBoughtScore, findRun, findRuns, type RunRow } from './receipt.queries.ts';
import type { BoughtScore } from './search-receipts.ts';
import type { RunPosition } from './search-runs.queries.ts';

/** One attempt of a call, with the call's subject; `subject` is null if the subject cannot be found any more. */
export interface Receipt {
  run: RunRow;
  subject: ResolvedSubject | null;
}

/** Filter for calls; null means any. `from` and `to` are the days on which calls began. */
export interface ReceiptFilters extends Days {
  /** Cursor from the previous page. */
  cursor: string | null;
  operation: string | null;
  state: string | null;
  /** Page size, 1 to 100. */
  limit: number;
}

/** Filter that matches every call. */
export const ALL_RECEIPTS: Omit<ReceiptFilters, 'limit'> = {
  cursor: null,
  operation: null,
  state: null,
  from: null,
  to: null,
};

/**
 * One page of receipts. The page of a search may contain fewer receipts than requested, even none, and still have a
 * next page.
 */
export interface ReceiptPage {
  receipts: Receipt[];
  nextCursor: string | null;
  /**
   * Time back to which a search looked, if it stopped early: older calls may match. Null if the page is full or all
   * calls were searched.
   */
  lookedBackTo: string | null;
}

/** Runs of an account, with the authenticated caller of that account. */
export interface FoundRuns {
  caller: { accountId: string; keyId: string | null; sessionId: string | null; useIsDue: boolean };
  runs: RunRow[];
  /** Position at which a search stopped before the end; null or absent if it searched all runs. */
  stoppedAt?: RunPosition | null;
}

const PLACE =
  /^\["(2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)","([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"\]$/;

/** Encodes a position as a cursor. */
function writeCursor({ created_at, ledger_id }: RunPosition): string {
  return Buffer.from(JSON.stringify([created_at, ledger_id])).toString('base64url');
}

function readCursor(cursor: string): RunPosition {
  const [, created_at = '', ledger_id = ''] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isUtcText(created_at)) return { created_at, ledger_id };
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Computes the time range of a page from its cursor and days. Throws invalid_request for a cursor of another list or
 * invalid days.
 */
export function timeRangeOf({ cursor, from, to }: Pick<ReceiptFilters, 'cursor' | 'from' | 'to'>): {
  before: RunPosition | null;
  since: string | null;
} {
  requireDays({ from, to });
  const after = cursor === null ? null : readCursor(cursor);
  const end = to === null ? null : { created_at: midnightOf(addDays(to, 1)), ledger_id: FIRST_ID };
  const isWithin = after !== null && (end === null || after.created_at < end.created_at);
  return { before: isWithin ? after : end, since: from === null ? null : midnightOf(from) };
}

function midnightOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

/** Awaits a query for runs and requires that it found an active caller; throws 401 otherwise. */
export async function requireCaller(
  credential: Credential,
  found: Promise<{ caller: CallerRow | null; runs: RunRow[] }>,
): Promise<FoundRuns> {
  const { caller: row, runs } = await found;
  requireValidCaller(credential.kind, row);
  const { account_id: accountId, key_id: keyId, session_id: sessionId, use_is_due: useIsDue } = row;
  return { caller: { accountId, keyId, sessionId, useIsDue }, runs };
}

/** Reads a caller and the run of its account with this id, if any. Throws 401. */
export function lookUpReceipt(
  connection: Connection,
  credential: Credential,
  ledgerId: string,
): Promise<FoundRuns> {
  return requireCaller(credential, findRun(connection, credential, ledgerId));
}

/**
 * Reads a caller and one page of the account's runs, plus one more run if there is a next page. Throws invalid_request
 * for a cursor of another list and for invalid days, and 401 for an invalid caller.
 */
export async function lookUpReceipts(
  connection: Connection,
  credential: Credential,
  { operation, state, limit, ...place }: ReceiptFilters,
): Promise<FoundRuns> {
  const question = { ...timeRangeOf(place), operation, state, limit: limit + 1 };
  return requireCaller(credential, findRuns(connection, credential, question));
}

/** Adds subjects to runs and records the use of the caller's session. */
async function receiptsOf(
  connection: Connection,
  publicUrls: PublicUrls,
  { caller, runs }: FoundRuns,
): Promise<Receipt[]> {
  await recordSessionUse(connection, caller);
  const named = new Map(runs.map((run) => [run.subject_id, { id: run.subject_id, type: run.subject_type }]));
  const subjects = await loadSubjects(connection, [...named.values()], publicUrls);
  return runs.map((run) => ({ run, subject: subjects.get(run.subject_id) ?? null }));
}

/**
 * Returns a receipt of the caller's account. Throws the same not_found whether the receipt does not exist or belongs
 * to another account.
 */
export async function readReceipt(
  connection: Connection,
  publicUrls: PublicUrls,
  found: FoundRuns,
  ledgerId: string,
): Promise<Receipt> {
  const [receipt] = await receiptsOf(connection, publicUrls, found);
  if (!receipt) throw new DomainError('not_found', `Your account has no receipt ${ledgerId.toLowerCase()}.`);
  return receipt;
}

/**
 * Lists receipts of the caller's account, newest first. A cursor names a receipt and not a page number, so new receipts
 * do not shift the following pages.
 */
export async function listReceipts(
  connection: Connection,
  publicUrls: PublicUrls,
  found: FoundRuns,
  limit: number,
): Promise<ReceiptPage> {
  const all = await receiptsOf(connection, publicUrls, found);
  const receipts = all.slice(0, limit);
  const last = all.length > limit ? receipts.at(-1) : undefined;
  if (last) return { receipts, nextCursor: writeCursor(last.run), lookedBackTo: null };
  const { stoppedAt = null } = found;
  return {
    receipts,
    nextCursor: stoppedAt && writeCursor(stoppedAt),
    lookedBackTo: stoppedAt?.created_at ?? null,
  };
}

/** Returns the score that a call paid for, as it was at that time; null if the call stored none. */
export async function readBoughtScore(
  connection: Connection,
  { subject_id, score_version }: RunRow,
): Promise<BoughtScore | null> {
  return score_version === null ? null : findBoughtScore(connection, subject_id, score_version);
}
