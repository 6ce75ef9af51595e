import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { hashSecret } from '../callers/secret.ts';
import type { Database } from '../database/connect.ts';

/**
 * Opens a console session of an account on the operator's authority, does the work in it and ends it, also when the
 * work fails. No key is made without a session, and such a session's token leaves this function with nobody.
 */
export async function withOperatorSession<Result>(
  database: Database,
  accountId: string,
  work: (sessionId: string) => Promise<Result>,
): Promise<Result> {
  const id = uuidv7();
  await database.query(
    `INSERT INTO session (id, account_id, token_hash, opened_by, expires_at)
     VALUES ($1, $2, $3, 'operator', ledger_now() + interval '10 minutes')`,
    [id, accountId, hashSecret(randomBytes(32).toString('base64url'))],
  );
  try {
    return await work(id);
  } finally {
    await database.query('UPDATE session SET ended_at = ledger_now() WHERE id = $1', [id]);
  }
}
