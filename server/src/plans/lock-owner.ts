import { credentialError } from '../callers/credential-errors.ts';
import { sessionLives } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';
import { type LockedPlan, lockPlan } from './plan.repository.ts';

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
