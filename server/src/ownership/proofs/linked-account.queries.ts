import type { CodePlace } from '../../hosts/host-account.ts';
import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { Connection } from '../../platform/database/connect.ts';
import {
  ALL,
  fromNow,
  type NamedColumn,
  NOT_NULL,
  NOW,
  PAST,
  sql,
  utcText,
} from '../../platform/database/models/table.ts';
import { isRowId } from '../../platform/database/send-statement.ts';

/** Number of attempts without a delay. A host may serve a cached page, so people try several times. */
const AT_ONCE = 5;

const FIRST_PAUSE_SECONDS = 10;

const LONGEST_PAUSE_SECONDS = 600;

/**
 * Returns SQL for the delay that must pass after the last attempt; `alias` is the statement's alias of `host_asking`.
 */
const pause = (alias: string) =>
  `CASE WHEN ${alias}.times < ${AT_ONCE} THEN interval '0' ELSE least(${LONGEST_PAUSE_SECONDS},
  ${FIRST_PAUSE_SECONDS} * power(2, least(${alias}.times, 30) - ${AT_ONCE})) * interval '1 second' END`;

const SECONDS_LEFT = `ceil(extract(epoch FROM last_at + ${pause('host_asking')} - ledger_now()))::int`;

/**
 * Records an attempt to read an account on a host and returns 0. If the delay since the last attempt has not passed, it
 * returns the remaining seconds and records nothing. Five attempts have no delay. After them, each delay is twice the
 * previous one, from ten seconds to ten minutes. An hour without attempts resets the delay; removing a link and adding
 * it again does not.
 */
export async function claimHostAttempt(
  connection: Connection,
  accountId: string,
  host: string,
): Promise<number> {
  // Raw SQL: of two concurrent attempts, the second waits and sees the record of the first.
  const claimed = await connection.query(
    `INSERT INTO host_asking AS a (account_id, host, times, last_at) VALUES ($1, $2, 1, ledger_now())
     ON CONFLICT (account_id, host) DO UPDATE SET last_at = excluded.last_at,
       times = CASE WHEN a.last_at <= excluded.last_at - interval '1 hour' THEN 1 ELSE a.times + 1 END
     WHERE a.last_at + ${pause('a')} <= excluded.last_at RETURNING 1 AS one`,
    [accountId, host],
  );
  if (claimed.length > 0) return 0;
  const row = await connection.models.HostAsking.findOne<{ seconds: number }>({
    attributes: [[sql(SECONDS_LEFT), 'seconds']],
    where: { accountId, host },
    raw: true,
    transaction: connection.transaction,
  });
  return Math.max(1, row?.seconds ?? 1);
}

/** Origin of a proof. */
export type ProvedBy = 'code' | 'operator' | 'identity_provider';

/**
 * State of a link. `pending`: its code was not found yet. `proved`: valid. `lapsed`: invalid until its next
 * successful check.
 */
type LinkState = 'pending' | 'proved' | 'lapsed';

/** A host account that a directory account claims as its own. Times are ISO 8601 UTC. */
export interface LinkedAccount {
  id: string;
  accountId: string;
  kind: AccountKind;
  host: string;
  handle: string;
  state: LinkState;
  /** Code that the owner publishes; null if the account was confirmed without one. */
  code: string | null;
  codeExpiresAt: string | null;
  codeExpired: boolean;
  provedAt: string | null;
  provedBy: ProvedBy | null;
  evidenceUrl: string | null;
  /**
   * Place in which the last successful check found the code, such as a profile. Null before the first successful check,
   * for a proof without a code, and for one that was last checked before places were recorded.
   */
  codePlace: CodePlace | null;
  hostAccountId: string | null;
  hostAccountCreatedAt: string | null;
  checkedAt: string | null;
  checkFailedAt: string | null;
  /** True if the proof has lapsed and its effects are withdrawn. */
  hasLapsed: boolean;
  /** Time until which the proof counts: 60 days after the last successful check. Null before the first one. */
  countsUntil: string | null;
  createdAt: string;
}

/** Maximum number of links per directory account, of all kinds together. */
export const MAX_LINKS = 50;

/** A stored link; `counts` is true for 60 days after its last successful check. */
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
  [sql('lapsed_at IS NOT NULL'), 'hasLapsed'],
  [sql("utc_text(checked_at + interval '60 days')"), 'countsUntil'],
  [sql(COUNTS), 'counts'],
  utcText('created_at', 'createdAt'),
];

/** Returns an account's links that were not removed, oldest first. */
export function findLinks({ models, transaction }: Connection, accountId: string): Promise<LinkRow[]> {
  return models.LinkedAccount.findAll<LinkRow>({
    attributes: COLUMNS,
    where: { accountId, removedAt: null },
    order: ['id'],
    raw: true,
    transaction,
  });
}

/** Returns one of an account's links; null if it belongs to another account, was removed or does not exist. */
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

/** Counts the valid proofs of an account. */
export function countProofs({ models, transaction }: Connection, accountId: string): Promise<number> {
  return models.LinkedAccount.count({
    where: { [ALL]: [{ accountId, provedAt: NOT_NULL, removedAt: null }, sql(COUNTS)] },
    transaction,
  });
}

/**
 * Stores a link that waits for its code, and returns its id. Another call for the same host account replaces the code,
 * as long as it is not proved.
 */
export async function savePendingLink(
  connection: Connection,
  link: { id: string; accountId: string; kind: AccountKind; host: string; handle: string; code: string },
): Promise<string> {
  // Raw SQL: two concurrent calls for the same host account store one link, and both succeed.
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

/**
 * Stores a link that an operator confirmed. The link becomes valid with its first successful check, which the caller
 * stores.
 */
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

/** Deletes an account's unproved links with an expired code; returns how many links remain. */
export async function dropExpiredLinks(
  { models, transaction }: Connection,
  accountId: string,
): Promise<number> {
  const expired = { accountId, provedAt: null, codeExpiresAt: PAST };
  await models.LinkedAccount.destroy({ where: expired, transaction });
  return models.LinkedAccount.count({ where: { accountId, removedAt: null }, transaction });
}

/** Schedules a check in an hour, because not all listings of the proof could be read. */
export async function scheduleEarlyCheck({ models, transaction }: Connection, id: string): Promise<void> {
  await models.LinkedAccount.update({ checkDueAt: fromNow('1 hour') }, { where: { id }, transaction });
}

/** Stores a successful check; the first one turns the link into a proof. The next check is due in 30 days. */
export async function saveGoodCheck(
  connection: Connection,
  id: string,
  provedBy: ProvedBy,
  found: {
    handle: string;
    hostAccountId: string | null;
    createdAt: string | null;
    codePlace: CodePlace | null;
    domain?: string | null;
  },
): Promise<void> {
  // Raw SQL: an id or creation time that the check did not find keeps its stored value, and the host's time keeps its
  // microseconds.
  await connection.query(
    `UPDATE linked_account SET proved_at = coalesce(proved_at, ledger_now()), proved_by = coalesce(proved_by, $2),
       handle = $3, host_account_id = coalesce($4, host_account_id),
       host_account_created_at = coalesce($5::timestamptz, host_account_created_at), checked_at = ledger_now(),
       code_place = $6, domain = $7, check_failed_at = NULL, lapsed_at = NULL, check_due_at = ledger_now() + interval '30 days' WHERE id = $1`,
    [id, provedBy, found.handle, found.hostAccountId, found.createdAt, found.codePlace, found.domain ?? null],
  );
}

/**
 * SQL for the time of a failed check: now. For a suspended proof (see `suspendHandleProofs`), the time of the first
 * failed check since the suspension remains.
 */
const FAILED_AT = sql(
  'CASE WHEN checked_at IS NULL THEN coalesce(check_failed_at, ledger_now()) ELSE ledger_now() END',
);

/**
 * Stores that a check failed. The next check is due in six hours. The proof counts until 60 days after its last
 * successful check.
 */
export async function saveFailedCheck({ models, transaction }: Connection, id: string): Promise<void> {
  await models.LinkedAccount.update(
    { checkFailedAt: FAILED_AT, checkDueAt: fromNow('6 hours') },
    { where: { id, removedAt: null, provedAt: NOT_NULL }, transaction },
  );
}

/** Ends one link, or all links of an account: proved ones are marked as removed, unproved ones are deleted. */
export async function endLinks(
  { models, transaction }: Connection,
  which: { id: string } | { accountId: string },
): Promise<void> {
  await models.LinkedAccount.destroy({ where: { ...which, provedAt: null }, transaction });
  await models.LinkedAccount.update(
    { removedAt: NOW, checkDueAt: null },
    { where: { ...which, provedAt: NOT_NULL, removedAt: null }, transaction },
  );
}

/** A domain that a proved organisation owns, with the organisation's account. */
export interface ProvedDomain {
  domain: string;
  host: string;
  hostAccountId: string;
}

/** Returns the domains whose DNS records prove organisations, from proofs that were checked in the last 60 days. */
export function findProvedDomains(connection: Connection): Promise<ProvedDomain[]> {
  // Raw SQL: repeats the conditions of the view `proved_account`, which has no column `domain`.
  return connection.query<ProvedDomain>(
    `SELECT DISTINCT domain, host, host_account_id AS "hostAccountId" FROM linked_account
     WHERE domain IS NOT NULL AND host_account_id IS NOT NULL AND kind = 'repo_host' AND proved_at IS NOT NULL
       AND removed_at IS NULL AND checked_at > ledger_now() - interval '60 days' ORDER BY 1, 2, 3`,
  );
}
