import type { Connection } from '../database/connect.ts';
import type { ProviderName } from './identity-provider.ts';

/** Stores an attempt for some minutes; attempts that are over, whoever's, are forgotten by the way. */
export async function insertAttempt(
  connection: Connection,
  attempt: { tokenHash: Buffer; provider: ProviderName; nextPath: string; minutes: number },
): Promise<void> {
  await connection.query(
    `WITH over AS (DELETE FROM sign_in_attempt WHERE expires_at <= ledger_now())
     INSERT INTO sign_in_attempt (token_hash, provider, next_path, expires_at)
     VALUES ($1, $2, $3, ledger_now() + make_interval(mins => $4))`,
    [attempt.tokenHash, attempt.provider, attempt.nextPath, attempt.minutes],
  );
}

/** Forgets an attempt and answers what it was, living or too old; null where there is none. */
export async function deleteAttempt(
  connection: Connection,
  tokenHash: Buffer,
): Promise<{ provider: ProviderName; nextPath: string; isLiving: boolean } | null> {
  const [attempt] = await connection.query<{ provider: ProviderName; nextPath: string; isLiving: boolean }>(
    `DELETE FROM sign_in_attempt WHERE token_hash = $1
     RETURNING provider, next_path AS "nextPath", expires_at > ledger_now() AS "isLiving"`,
    [tokenHash],
  );
  return attempt ?? null;
}
