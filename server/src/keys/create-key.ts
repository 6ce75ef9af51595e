import { v7 as uuidv7 } from 'uuid';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import type { PlanBook } from '../plans/plans.ts';
import { planOf } from '../plans/plans.ts';
import { KEY_SCOPES, type Scope } from './principal.ts';
import { hashSecret, newSecret } from './secret.ts';

export interface NewKey {
  /** The console session that creates the key; its account owns it. */
  sessionId: string;
  name: string;
  scopes: readonly string[];
  /** ISO 8601; null for a key that does not expire. */
  expiresAt: string | null;
}

export interface CreatedKey {
  id: string;
  /** Shown to its owner this once; only its hash is kept. */
  secret: string;
  lastFour: string;
}

/** Keys that hold one of the plan's slots: not revoked, not paused, not expired. */
const ACTIVE = `SELECT count(*)::int AS active FROM access_key WHERE account_id = $1 AND revoked_at IS NULL
  AND paused_at IS NULL AND (expires_at IS NULL OR expires_at > ledger_now())`;

function requireScopes(scopes: readonly string[]): asserts scopes is readonly Scope[] {
  const unknown = scopes.filter((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
  if (scopes.length === 0 || unknown.length > 0) {
    const wrong = unknown.length > 0 ? `Unknown or reserved scope ${unknown.join(', ')}. ` : '';
    throw new DomainError('invalid_request', `${wrong}A key has one or more of: ${KEY_SCOPES.join(', ')}.`);
  }
}

function requireName(name: string): void {
  if (name.length <= 100 && name.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(name)) return;
  throw new DomainError('invalid_request', 'A key has a name of 1 to 100 printable characters.');
}

function requireFuture(expiresAt: string | null): void {
  if (expiresAt === null) return;
  const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(expiresAt);
  if (isMoment && Date.parse(expiresAt) > Date.now()) return;
  throw new DomainError(
    'invalid_request',
    'A key expires at a moment in the future, written as ISO 8601 with its zone.',
  );
}

/** The plan of the account whose living session this is, with the account's row locked. */
async function lockSessionAccount(
  connection: Connection,
  sessionId: string,
): Promise<{ accountId: string; plan: string }> {
  const [row] = await connection.query<{ account_id: string; plan: string }>(
    `SELECT a.id AS account_id, a.plan FROM account a JOIN session s ON s.account_id = a.id
     WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > ledger_now() FOR NO KEY UPDATE OF a`,
    [sessionId],
  );
  if (!row) throw new DomainError('unauthorized', 'The session has ended. Sign in again.');
  return { accountId: row.account_id, plan: row.plan };
}

/**
 * Creates an access key from a console session. Two creates at once on one free slot make one key: the account's row
 * is locked while slots are counted. Throws key_limit_reached, invalid_request.
 */
export async function createKey(database: Database, planBook: PlanBook, input: NewKey): Promise<CreatedKey> {
  const { scopes } = input;
  requireScopes(scopes);
  requireName(input.name);
  requireFuture(input.expiresAt);
  const key = { id: uuidv7(), secret: newSecret() };
  const lastFour = key.secret.slice(-4);
  return inTransaction(database, async (connection) => {
    const account = await lockSessionAccount(connection, input.sessionId);
    const limit = planOf(planBook, account.plan).activeKeys;
    const [slots] = await connection.query<{ active: number }>(ACTIVE, [account.accountId]);
    if ((slots?.active ?? 0) >= limit) {
      const many = limit === 1 ? 'one active key' : `${limit} active keys`;
      throw new DomainError('key_limit_reached', `The ${account.plan} plan has ${many}. Revoke a key first.`);
    }
    await connection.query(
      `INSERT INTO access_key (id, account_id, session_id, key_hash, last_four, name, scopes, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        key.id,
        account.accountId,
        input.sessionId,
        hashSecret(key.secret),
        lastFour,
        input.name,
        [...new Set(scopes)],
        input.expiresAt,
      ],
    );
    return { ...key, lastFour };
  });
}
