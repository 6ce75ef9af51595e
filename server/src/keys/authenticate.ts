import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type KeyStanding, requireLivingKey } from './credential-errors.ts';
import type { Principal, Scope } from './principal.ts';

interface Row extends KeyStanding {
  id: string;
  account_id: string;
  scopes: string[];
}

const STANDING = `SELECT k.id, k.account_id, k.scopes, k.revoked_at IS NOT NULL AS revoked, k.paused_at IS NOT NULL AS paused,
  coalesce(k.expires_at <= ledger_now(), false) AS expired FROM access_key k`;

/** The principal behind a secret's hash; throws 401 unless the key lives, 403 where it lacks the scope. */
export async function authenticate(
  connection: Connection,
  keyHash: Buffer,
  scope: Scope,
): Promise<Principal> {
  const [row = null] = await connection.query<Row>(`${STANDING} WHERE k.key_hash = $1`, [keyHash]);
  requireLivingKey(row);
  if (!row.scopes.includes(scope)) {
    throw new DomainError(
      'insufficient_scope',
      `The access key lacks the scope ${scope}. Create one that has it.`,
    );
  }
  return { accountId: row.account_id, keyId: row.id, scopes: row.scopes };
}

/**
 * Reads the key again FOR SHARE at the start of a transaction, so that what the transaction writes cannot follow a
 * revocation that was already answered. Throws 401.
 */
export async function lockCredential(connection: Connection, principal: Principal): Promise<void> {
  const [row = null] = await connection.query<Row>(`${STANDING} WHERE k.id = $1 FOR SHARE OF k`, [
    principal.keyId,
  ]);
  requireLivingKey(row);
}
