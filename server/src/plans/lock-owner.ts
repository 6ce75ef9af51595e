import { credentialError } from '../callers/credential-errors.ts';
import type { Connection } from '../database/connect.ts';
import { type LockedPlan, lockPlan } from './lock-plan.ts';
import { findSessionAccount, shareLivingSession } from './plan.repository.ts';

/**
 * The account whose living session this is, its row locked; the session cannot be ended before the transaction is over.
 * Throws unauthorized.
 */
export async function lockOwner(connection: Connection, sessionId: string): Promise<LockedPlan> {
  const accountId = await findSessionAccount(connection, sessionId);
  if (accountId === null) throw credentialError.sessionEnded();
  const owner = await lockPlan(connection, accountId);
  const living = await shareLivingSession(connection, sessionId);
  if (!living) throw credentialError.sessionEnded();
  if (living.suspended) throw credentialError.suspended();
  return owner;
}
