import { endSession, openSession } from '../callers/session.ts';
import type { Database } from '../database/connect.ts';

/** Ends with its work; this is for a process that dies before. */
const LONGEST_MINUTES = 10;

/**
 * Opens a console session of an account on the operator's authority, does the work in it and ends it, also when the
 * work fails. No key is made without a session, and such a session's token leaves this function with nobody.
 */
export async function withOperatorSession<Result>(
  database: Database,
  accountId: string,
  work: (sessionId: string) => Promise<Result>,
): Promise<Result> {
  const { sessionId } = await openSession(database, accountId, 'operator', LONGEST_MINUTES);
  try {
    return await work(sessionId);
  } finally {
    await endSession(database, sessionId);
  }
}
