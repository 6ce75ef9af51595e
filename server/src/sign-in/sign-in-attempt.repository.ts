import type { Connection } from '../database/connect.ts';
import { fromNow, PAST } from '../database/models/expressions.ts';
import type { ProviderName } from './identity-provider.ts';

/** Stores an attempt for some minutes; attempts that are over, of anybody, are forgotten by the way. */
export async function insertAttempt(
  { models, transaction }: Connection,
  { minutes, ...attempt }: { tokenHash: Buffer; provider: ProviderName; nextPath: string; minutes: number },
): Promise<void> {
  await models.SignInAttempt.destroy({ where: { expiresAt: PAST }, transaction });
  const row = { ...attempt, expiresAt: fromNow(`${minutes} minutes`) };
  await models.SignInAttempt.create(row, { transaction, returning: false });
}

/** Forgets an attempt and answers what it was, living or too old; null where there is none. */
export async function deleteAttempt(
  connection: Connection,
  tokenHash: Buffer,
): Promise<{ provider: ProviderName; nextPath: string; isLiving: boolean } | null> {
  // SQL: DELETE … RETURNING, so that of any number at once one gets it.
  const [attempt] = await connection.query<{ provider: ProviderName; nextPath: string; isLiving: boolean }>(
    `DELETE FROM sign_in_attempt WHERE token_hash = $1
     RETURNING provider, next_path AS "nextPath", expires_at > ledger_now() AS "isLiving"`,
    [tokenHash],
  );
  return attempt ?? null;
}
