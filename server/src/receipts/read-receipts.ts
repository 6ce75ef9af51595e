import { noteSessionSeen } from '../accounts/session.repository.ts';
import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { requireLivingCaller } from '../keys/credential-errors.ts';
import type { Credential } from '../keys/principal.ts';
import { loadSubjects } from '../subjects/load-subjects.ts';
import type { Naming } from '../subjects/naming.ts';
import type { ResolvedSubject } from '../subjects/resolve-subject.ts';
import { findRuns, type RunQuestion, type RunRow } from './receipt.repository.ts';

/** One attempt of one call, and its subject; null where that is gone since. */
export interface Receipt {
  run: RunRow;
  subject: ResolvedSubject | null;
}

export interface ReceiptFilters {
  /** As the page before gave it. */
  cursor: string | null;
  operation: string | null;
  state: string | null;
  /** 1 to 100. */
  limit: number;
}

export interface ReceiptPage {
  receipts: Receipt[];
  nextCursor: string | null;
}

/** Who asks; `identified` is told the key's id, or null for a session, once the credential is known to live. */
export interface ReceiptReader {
  credential: Credential;
  identified(keyId: string | null): void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function writeCursor(ledgerId: string): string {
  return Buffer.from(JSON.stringify([ledgerId])).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const ledgerId = text.slice(2, -2);
  if (UUID.test(ledgerId) && text === JSON.stringify([ledgerId])) return ledgerId;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

async function read(
  connection: Connection,
  naming: Naming,
  reader: ReceiptReader,
  question: RunQuestion,
): Promise<Receipt[]> {
  const { caller, runs } = await findRuns(connection, reader.credential, question);
  requireLivingCaller(reader.credential.kind, caller);
  reader.identified(caller.key_id);
  if (caller.session_id !== null && caller.unnoted) await noteSessionSeen(connection, caller.session_id);
  const named = new Map(runs.map((run) => [run.subject_id, { id: run.subject_id, type: run.subject_type }]));
  const subjects = await loadSubjects(connection, [...named.values()], naming);
  return runs.map((run) => ({ run, subject: subjects.get(run.subject_id) ?? null }));
}

/** A receipt of the caller's own account. Throws 401; not_found alike for one that nobody has and for another's. */
export async function readReceipt(
  connection: Connection,
  naming: Naming,
  reader: ReceiptReader,
  ledgerId: string,
): Promise<Receipt> {
  const question = { ledgerId, before: null, operation: null, state: null, limit: 1 };
  const [receipt] = await read(connection, naming, reader, question);
  if (!receipt) throw new DomainError('not_found', `Your account has no receipt ${ledgerId.toLowerCase()}.`);
  return receipt;
}

/**
 * Receipts of the caller's own account, newest first. New ones come before the first page, so a cursor neither skips nor
 * repeats any. Throws 401; invalid_request for a cursor of another list.
 */
export async function listReceipts(
  connection: Connection,
  naming: Naming,
  reader: ReceiptReader,
  { cursor, operation, state, limit }: ReceiptFilters,
): Promise<ReceiptPage> {
  const before = cursor === null ? null : readCursor(cursor);
  const question = { ledgerId: null, before, operation, state, limit: limit + 1 };
  const found = await read(connection, naming, reader, question);
  const receipts = found.slice(0, limit);
  const last = found.length > limit ? receipts.at(-1) : undefined;
  return { receipts, nextCursor: last ? writeCursor(last.run.ledger_id) : null };
}
