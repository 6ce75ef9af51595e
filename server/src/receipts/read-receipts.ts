import type { CallerRow } from '../callers/caller.condition.ts';
import { requireLivingCaller } from '../callers/credential-errors.ts';
import { noteSessionSeen } from '../callers/note-session-seen.ts';
import type { Credential } from '../callers/principal.ts';
import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { addDays, type Day, type Days, requireDays } from '../plans/days.ts';
import { loadSubjects } from '../subjects/load-subjects.ts';
import type { Naming } from '../subjects/naming.ts';
import type { ResolvedSubject } from '../subjects/resolve-subject.ts';
import { findBoughtScore } from './bought-score.repository.ts';
import type { BoughtScore } from './bought-score.ts';
import type { RunPlace } from './newest-runs.sql.ts';
import { findRun, findRuns, type RunRow } from './receipt.repository.ts';

/** One attempt of one call, and its subject; null where that is gone since. */
export interface Receipt {
  run: RunRow;
  subject: ResolvedSubject | null;
}

/** Which calls are asked for; null asks for any. `from` and `to` are the days on which they began. */
export interface ReceiptFilters extends Days {
  /** As the page before gave it. */
  cursor: string | null;
  operation: string | null;
  state: string | null;
  /** 1 to 100. */
  limit: number;
}

/** What lets every call through, from the newest on. */
export const ALL_RECEIPTS: Omit<ReceiptFilters, 'limit'> = {
  cursor: null,
  operation: null,
  state: null,
  from: null,
  to: null,
};

/** One page; after a search it may hold less than was asked for, even nothing, and still have a next one. */
export interface ReceiptPage {
  receipts: Receipt[];
  nextCursor: string | null;
  /** The moment back to which a search looked, where older calls are left; null where all were looked at. */
  lookedBackTo: string | null;
}

/** Runs of an account that a caller is known to belong to. */
export interface FoundRuns {
  caller: { accountId: string; keyId: string | null; sessionId: string | null; unnoted: boolean };
  runs: RunRow[];
  /** Where a search stopped looking back; absent where it came to the end. */
  edge?: RunPlace | null;
}

const PLACE =
  /^\["(2\d{3}-\d\d-[0-2]\dT\d\d:\d\d:\d\d\.\d{6}Z)","([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"\]$/;

/** Where a page begins that goes on behind this place. */
function writeCursor({ created_at, ledger_id }: RunPlace): string {
  return Buffer.from(JSON.stringify([created_at, ledger_id])).toString('base64url');
}

function readCursor(cursor: string): RunPlace {
  const [, created_at = '', ledger_id = ''] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isMoment(created_at)) return { created_at, ledger_id };
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Between which moments the runs lie that a page asks for. Throws invalid_request for a cursor of another list and for days
 * that are none.
 */
export function placeOf({ cursor, from, to }: Pick<ReceiptFilters, 'cursor' | 'from' | 'to'>): {
  before: RunPlace | null;
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

/** Whether PostgreSQL will take it: JavaScript reads the 31st of a shorter month as a day of the next one. */
function isMoment(text: string): boolean {
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().slice(0, 23) === text.slice(0, 23);
}

/** What a statement found, once its caller is known to live; throws 401. */
export async function requireCaller(
  credential: Credential,
  found: Promise<{ caller: CallerRow | null; runs: RunRow[] }>,
): Promise<FoundRuns> {
  const { caller: row, runs } = await found;
  requireLivingCaller(credential.kind, row);
  const { account_id: accountId, key_id: keyId, session_id: sessionId, unnoted } = row;
  return { caller: { accountId, keyId, sessionId, unnoted }, runs };
}

/** Whose a credential is, with the run of their account that has this id, if there is one. Throws 401. */
export function lookUpReceipt(
  connection: Connection,
  credential: Credential,
  ledgerId: string,
): Promise<FoundRuns> {
  return requireCaller(credential, findRun(connection, credential, ledgerId));
}

/**
 * Whose a credential is, with the runs of their account that a page shows, and one more where there are more. Throws
 * invalid_request for a cursor of another list; 401.
 */
export async function lookUpReceipts(
  connection: Connection,
  credential: Credential,
  { operation, state, limit, ...place }: ReceiptFilters,
): Promise<FoundRuns> {
  const question = { ...placeOf(place), operation, state, limit: limit + 1 };
  return requireCaller(credential, findRuns(connection, credential, question));
}

/** Found runs with their subjects; the session that asked is noted as seen. */
async function receiptsOf(
  connection: Connection,
  naming: Naming,
  { caller, runs }: FoundRuns,
): Promise<Receipt[]> {
  await noteSessionSeen(connection, caller);
  const named = new Map(runs.map((run) => [run.subject_id, { id: run.subject_id, type: run.subject_type }]));
  const subjects = await loadSubjects(connection, [...named.values()], naming);
  return runs.map((run) => ({ run, subject: subjects.get(run.subject_id) ?? null }));
}

/** A receipt of the caller's own account. Throws not_found alike for one that nobody has and for another's. */
export async function readReceipt(
  connection: Connection,
  naming: Naming,
  found: FoundRuns,
  ledgerId: string,
): Promise<Receipt> {
  const [receipt] = await receiptsOf(connection, naming, found);
  if (!receipt) throw new DomainError('not_found', `Your account has no receipt ${ledgerId.toLowerCase()}.`);
  return receipt;
}

/**
 * Receipts of the caller's own account, newest first. New ones come before the first page, so a cursor neither skips nor
 * repeats any.
 */
export async function listReceipts(
  connection: Connection,
  naming: Naming,
  found: FoundRuns,
  limit: number,
): Promise<ReceiptPage> {
  const all = await receiptsOf(connection, naming, found);
  const receipts = all.slice(0, limit);
  const last = all.length > limit ? receipts.at(-1) : undefined;
  if (last) return { receipts, nextCursor: writeCursor(last.run), lookedBackTo: null };
  const { edge = null } = found;
  return { receipts, nextCursor: edge && writeCursor(edge), lookedBackTo: edge?.created_at ?? null };
}

/** The score that a call bought, as it was then; null for a call that bought none. */
export async function readBoughtScore(
  connection: Connection,
  { subject_id, score_version }: RunRow,
): Promise<BoughtScore | null> {
  return score_version === null ? null : findBoughtScore(connection, subject_id, score_version);
}
