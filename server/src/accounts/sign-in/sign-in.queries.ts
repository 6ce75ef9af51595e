import { accountIsBlocked } from '../../access/callers/caller.fragment.ts';
import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { Connection } from '../../platform/database/connect.ts';
import {
  ALL,
  equalsIgnoringCase,
  FUTURE,
  fromNow,
  NOT_NULL,
  NOW,
  sql,
  utcText,
} from '../../platform/database/models/table.ts';
import type { ProviderName } from './identity-provider.ts';
import type { Identity, SignInIdentity } from './sign-in-identity.ts';

/** Stores an attempt that expires after `minutes`, and deletes the expired attempts of all people. */
export async function insertAttempt(
  connection: Connection,
  { minutes, ...attempt }: { tokenHash: Buffer; provider: ProviderName; nextPath: string; minutes: number },
): Promise<void> {
  const { models, transaction } = connection;
  // Raw SQL: skips attempts that another sign-in is deleting; otherwise two sign-ins could lock attempts in different
  // orders and deadlock.
  await connection.query(
    `DELETE FROM sign_in_attempt WHERE token_hash IN (SELECT token_hash FROM sign_in_attempt
       WHERE expires_at <= ledger_now() FOR UPDATE SKIP LOCKED)`,
  );
  const row = { ...attempt, expiresAt: fromNow(`${minutes} minutes`) };
  await models.SignInAttempt.create(row, { transaction, returning: false });
}

/** Deletes and returns an attempt, expired or not; null if there is none. */
export async function deleteAttempt(
  connection: Connection,
  tokenHash: Buffer,
): Promise<{ provider: ProviderName; nextPath: string; isLiving: boolean } | null> {
  // Raw SQL: DELETE … RETURNING, so that only one of concurrent callers gets it.
  const [attempt] = await connection.query<{ provider: ProviderName; nextPath: string; isLiving: boolean }>(
    `DELETE FROM sign_in_attempt WHERE token_hash = $1
     RETURNING provider, next_path AS "nextPath", expires_at > ledger_now() AS "isLiving"`,
    [tokenHash],
  );
  return attempt ?? null;
}

/**
 * Stores a link that expires after `minutes`, and deletes the account's expired links. Returns false if the account
 * does not exist, or is suspended or deleted.
 */
export async function insertLink(
  connection: Connection,
  link: { id: string; accountId: string; tokenHash: Buffer; minutes: number },
): Promise<boolean> {
  // Raw SQL: checks the account's state in the statement that stores the link.
  const made = await connection.query(
    `WITH over AS (DELETE FROM sign_in_link WHERE account_id = $2 AND expires_at <= ledger_now())
     INSERT INTO sign_in_link (id, account_id, token_hash, expires_at)
     SELECT $1, a.id, $3, ledger_now() + make_interval(mins => $4) FROM account a
     WHERE a.id = $2 AND NOT ${accountIsBlocked('a')} RETURNING id`,
    [link.id, link.accountId, link.tokenHash, link.minutes],
  );
  return made.length === 1;
}

/** Returns the handle of the account of a usable link, or its id if it has no handle; null for any other link. */
export async function findLinkOwnerName(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // Raw SQL: joins the account, because a link of a suspended or deleted account is not usable.
  const [owner] = await connection.query<{ name: string }>(
    `SELECT coalesce(a.handle, a.id::text) AS name FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND l.redeemed_at IS NULL AND l.expires_at > ledger_now() AND NOT ${accountIsBlocked('a')}`,
    [tokenHash],
  );
  return owner?.name ?? null;
}

/**
 * Locks the account of a link until the transaction ends, and returns its id; null if the link is unknown, or the
 * account is suspended or deleted.
 */
export async function lockAccountOfLink(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // Raw SQL: finds the account by the link, locks it, and then checks the account's state, which may have changed
  // during the wait.
  const [account] = await connection.query<{ id: string }>(
    `SELECT a.id FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND NOT ${accountIsBlocked('a')} FOR SHARE OF a`,
    [tokenHash],
  );
  return account?.id ?? null;
}

/**
 * Marks a link as redeemed; false if it was already redeemed or has expired. Only one of concurrent calls returns
 * true.
 */
export async function saveRedeemed({ models, transaction }: Connection, tokenHash: Buffer): Promise<boolean> {
  const [redeemed] = await models.SignInLink.update(
    { redeemedAt: NOW },
    { where: { tokenHash, redeemedAt: null, expiresAt: FUTURE }, transaction },
  );
  return redeemed === 1;
}

/**
 * Locks the account of a person against suspension and deletion until the transaction ends. `refused` is true if the
 * account is suspended or deleted. Returns null if the person has no account.
 */
export async function lockAccountOf(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<{ id: string; handle: string | null; refused: boolean } | null> {
  // Raw SQL: finds the account by the person and locks it in one statement.
  const [account] = await connection.query<{ id: string; handle: string | null; refused: boolean }>(
    `SELECT a.id, a.handle, ${accountIsBlocked('a')} AS refused FROM account a
     WHERE a.id = (SELECT account_id FROM sign_in_identity WHERE issuer = $1 AND subject = $2) FOR SHARE OF a`,
    [issuer, subject],
  );
  return account ?? null;
}

/** Links a person to an account. Violates the primary key if the person is already linked. */
export async function insertIdentity(
  { models, transaction }: Connection,
  identity: Omit<SignInIdentity, 'createdAt'>,
): Promise<void> {
  await models.SignInIdentity.create(identity, { transaction, returning: false });
}

/** Deletes a person's link to a deleted account, so that the person can be linked to another account. */
export async function unlinkFromDeletedAccount(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<void> {
  // Raw SQL: deletes by a condition on a joined table, which models cannot.
  await connection.query(
    `DELETE FROM sign_in_identity i USING account a WHERE i.issuer = $1 AND i.subject = $2
     AND a.id = i.account_id AND a.deleted_at IS NOT NULL`,
    [issuer, subject],
  );
}

/** Lists the people who can sign in to an account, oldest first. */
export function findIdentities(
  { models, transaction }: Connection,
  accountId: string,
): Promise<SignInIdentity[]> {
  return models.SignInIdentity.findAll<SignInIdentity>({
    attributes: ['issuer', 'subject', 'accountId', 'createdBy', utcText('created_at', 'createdAt')],
    where: { accountId },
    order: ['createdAt', 'issuer', 'subject'],
    raw: true,
    transaction,
  });
}

/** Unlinks a person from an account; false if there was no link. */
export async function deleteIdentity(
  { models, transaction }: Connection,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const where = { accountId, issuer, subject };
  return (await models.SignInIdentity.destroy({ where, transaction })) === 1;
}

/**
 * Returns an account's proof, valid or lapsed, of the host account with this host's id; null if there is none.
 * `isFresh` is true if the proof was checked within the last day.
 */
export function findSignInProof(
  { models, transaction }: Connection,
  proof: { accountId: string; kind: AccountKind; host: string; hostAccountId: string },
): Promise<{ id: string; handle: string; isFresh: boolean } | null> {
  const isFresh = sql("coalesce(checked_at > ledger_now() - interval '1 day', false)");
  return models.LinkedAccount.findOne<{ id: string; handle: string; isFresh: boolean }>({
    attributes: ['id', 'handle', [isFresh, 'isFresh']],
    where: { ...proof, provedAt: NOT_NULL, removedAt: null },
    raw: true,
    transaction,
  });
}

/**
 * Stores the proof of a host account that an identity provider has confirmed. Deletes an unfinished proof that the same
 * directory account began for that host account. The new proof counts after its first successful check.
 */
export async function saveProviderLink(
  { models, transaction }: Connection,
  { handle, ...link }: { id: string; accountId: string; kind: AccountKind; host: string; handle: string },
): Promise<void> {
  const { accountId, kind, host } = link;
  await models.LinkedAccount.destroy({
    where: { [ALL]: [{ accountId, kind, host, provedAt: null }, equalsIgnoringCase('handle', handle)] },
    transaction,
  });
  const proof = { provedAt: NOW, provedBy: 'identity_provider', checkDueAt: NOW } as const;
  await models.LinkedAccount.create({ ...link, handle, ...proof }, { transaction, returning: false });
}
