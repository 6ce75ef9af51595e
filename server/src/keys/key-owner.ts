import { sessionLives } from '../callers/session.repository.ts';
import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type LockedPlan, lockPlan } from '../plans/plan.repository.ts';
import { type PlanBook, planOf } from '../plans/plans.ts';
import { credentialError } from '../callers/credential-errors.ts';
import { countWorkingKeys } from './key.repository.ts';

/**
 * The account whose living session this is, its row locked; the session cannot be ended before the transaction is over.
 * Throws unauthorized.
 */
export async function lockOwner(connection: Connection, sessionId: string): Promise<LockedPlan> {
  const [session] = await connection.query<{ account_id: string }>(
    'SELECT account_id FROM session WHERE id = $1',
    [sessionId],
  );
  if (!session) throw credentialError.sessionEnded();
  const owner = await lockPlan(connection, session.account_id);
  const [living] = await connection.query<{ suspended: boolean }>(
    `SELECT a.suspended_at IS NOT NULL AS suspended FROM session s JOIN account a ON a.id = s.account_id
     WHERE s.id = $1 AND ${sessionLives('s')} FOR SHARE OF s`,
    [sessionId],
  );
  if (!living) throw credentialError.sessionEnded();
  if (living.suspended) throw credentialError.suspended();
  return owner;
}

/**
 * Throws key_limit_reached unless the plan in force has a slot left for one more working key. Revoked, paused and expired
 * keys hold none. The caller has locked the account.
 */
export async function requireFreeSlot(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: LockedPlan,
): Promise<void> {
  const limit = planOf(planBook, plan).activeKeys;
  if ((await countWorkingKeys(connection, accountId)) < limit) return;
  const many = limit === 1 ? 'one active key' : `${limit} active keys`;
  throw new DomainError('key_limit_reached', `The ${plan} plan has ${many}. Revoke a key first.`);
}
