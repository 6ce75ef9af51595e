import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import {
  ALL,
  fromNow,
  type NamedColumn,
  NOW,
  PAST,
  PRESENT,
  sql,
  utcText,
} from '../database/models/expressions.ts';
import { isRowId } from '../database/row-id.ts';
import type { CodePlace } from '../hosts/host-account.ts';
import type { LinkedAccount, ProvedBy } from './linked-account.ts';

/** A link as it is stored; `counts` while its last good check is not older than 60 days. */
export interface LinkRow extends Omit<LinkedAccount, 'state'> {
  counts: boolean;
}

const COUNTS = "coalesce(checked_at > ledger_now() - interval '60 days', false)";
const COLUMNS: (string | NamedColumn)[] = [
  'id',
  'accountId',
  'kind',
  'host',
  'handle',
  'code',
  utcText('code_expires_at', 'codeExpiresAt'),
  [sql('coalesce(code_expires_at <= ledger_now(), true)'), 'codeExpired'],
  utcText('proved_at', 'provedAt'),
  'provedBy',
  'evidenceUrl',
  'codePlace',
  'hostAccountId',
  utcText('host_account_created_at', 'hostAccountCreatedAt'),
  utcText('checked_at', 'checkedAt'),
  utcText('check_failed_at', 'checkFailedAt'),
  [sql("utc_text(checked_at + interval '60 days')"), 'countsUntil'],
  [sql(COUNTS), 'counts'],
  utcText('created_at', 'createdAt'),
];

/** An account's links that were not removed, oldest first. */
export function findLinks({ models, transaction }: Connection, accountId: string): Promise<LinkRow[]> {
  return models.LinkedAccount.findAll<LinkRow>({
    attributes: COLUMNS,
    where: { accountId, removedAt: null },
    order: ['id'],
    raw: true,
    transaction,
  });
}

/** One of an account's links, or null where it is another account's, was removed or never was. */
export async function findOneLink(
  { models, transaction }: Connection,
  accountId: string,
  id: string,
): Promise<LinkRow | null> {
  if (!isRowId(id)) return null;
  return models.LinkedAccount.findOne<LinkRow>({
    attributes: COLUMNS,
    where: { accountId, id, removedAt: null },
    raw: true,
    transaction,
  });
}

/** How many proofs of an account count. */
export function countProofs({ models, transaction }: Connection, accountId: string): Promise<number> {
  return models.LinkedAccount.count({
    where: { [ALL]: [{ accountId, provedAt: PRESENT, removedAt: null }, sql(COUNTS)] },
    transaction,
  });
}

/**
 * Stores a link that waits for its code; the same account asked for again gets the new code in place of the old one.
 * Answers the link's id.
 */
export async function savePendingLink(
  connection: Connection,
  link: { id: string; accountId: string; kind: AccountKind; host: string; handle: string; code: string },
): Promise<string> {
  // SQL: of two at once for one account, both get a code and one link is stored.
  const [saved] = await connection.query<{ id: string }>(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, code, code_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, ledger_now() + interval '24 hours')
     ON CONFLICT (account_id, kind, host, lower(handle)) WHERE proved_at IS NULL
     DO UPDATE SET handle = excluded.handle, code = excluded.code, code_expires_at = excluded.code_expires_at
     RETURNING id`,
    [link.id, link.accountId, link.kind, link.host, link.handle, link.code],
  );
  return saved?.id ?? link.id;
}

/** Stores a link that an operator confirmed; it counts once a good check is noted. */
export async function saveConfirmedLink(
  { models, transaction }: Connection,
  link: {
    id: string;
    accountId: string;
    kind: AccountKind;
    host: string;
    handle: string;
    evidenceUrl: string;
  },
): Promise<void> {
  const proof = { provedAt: NOW, provedBy: 'operator', checkDueAt: NOW } as const;
  await models.LinkedAccount.create({ ...link, ...proof }, { transaction, returning: false });
}

/** Forgets an account's links that were never proved and whose code has expired; answers how many others it has. */
export async function dropExpiredLinks(
  { models, transaction }: Connection,
  accountId: string,
): Promise<number> {
  const expired = { accountId, provedAt: null, codeExpiresAt: PAST };
  await models.LinkedAccount.destroy({ where: expired, transaction });
  return models.LinkedAccount.count({ where: { accountId, removedAt: null }, transaction });
}

/** Has a proof checked again within the hour, since not all of its listings could be read. */
export async function checkSoon({ models, transaction }: Connection, id: string): Promise<void> {
  await models.LinkedAccount.update({ checkDueAt: fromNow('1 hour') }, { where: { id }, transaction });
}

/** Notes a good check now; the first one is the proof. The next one is due in 30 days. */
export async function saveGoodCheck(
  connection: Connection,
  id: string,
  provedBy: ProvedBy,
  found: {
    handle: string;
    hostAccountId: string | null;
    createdAt: string | null;
    codePlace: CodePlace | null;
  },
): Promise<void> {
  // SQL: what is known already stays, and the host's moment keeps its microseconds.
  await connection.query(
    `UPDATE linked_account SET proved_at = coalesce(proved_at, ledger_now()), proved_by = coalesce(proved_by, $2),
       handle = $3, host_account_id = coalesce($4, host_account_id),
       host_account_created_at = coalesce($5::timestamptz, host_account_created_at), checked_at = ledger_now(),
       code_place = $6, check_failed_at = NULL, lapsed_at = NULL, check_due_at = ledger_now() + interval '30 days' WHERE id = $1`,
    [id, provedBy, found.handle, found.hostAccountId, found.createdAt, found.codePlace],
  );
}

/** Notes a failed check; it is tried again after six hours, and the proof counts until its time is over. */
export async function saveFailedCheck({ models, transaction }: Connection, id: string): Promise<void> {
  await models.LinkedAccount.update(
    { checkFailedAt: NOW, checkDueAt: fromNow('6 hours') },
    { where: { id, removedAt: null, provedAt: PRESENT }, transaction },
  );
}

/** Ends a link, or all of an account: a proved one is kept as removed, one that waits is forgotten. */
export async function endLinks(
  { models, transaction }: Connection,
  which: { id: string } | { accountId: string },
): Promise<void> {
  await models.LinkedAccount.destroy({ where: { ...which, provedAt: null }, transaction });
  await models.LinkedAccount.update(
    { removedAt: NOW, checkDueAt: null },
    { where: { ...which, provedAt: PRESENT, removedAt: null }, transaction },
  );
}
