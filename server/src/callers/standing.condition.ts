/** For how long after its last use a session goes on. */
export const IDLE = "interval '30 minutes'";
// A write a minute at most, however many requests a session makes.
const SEEN_EVERY = "interval '1 minute'";

/** SQL that is true of a key `alias` that works now. */
export function keyWorks(alias: string): string {
  return `${alias}.revoked_at IS NULL AND ${alias}.paused_at IS NULL
    AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > ledger_now())`;
}

/** SQL that is true of a session `alias` that lives: not ended, seen within 30 minutes, opened within 12 hours. */
export function sessionLives(alias: string): string {
  return `${alias}.ended_at IS NULL AND ${alias}.expires_at > ledger_now()
    AND ${alias}.last_seen_at > ledger_now() - ${IDLE}`;
}

/** SQL that is true of a session `alias` whose last use is due to be noted. */
export function sessionUnnoted(alias: string): string {
  return `${alias}.last_seen_at <= ledger_now() - ${SEEN_EVERY}`;
}

/** SQL that is true of an account `alias` whose keys and sessions are refused: suspended by the operator, or deleted. */
export function accountRefused(alias: string): string {
  return `(${alias}.suspended_at IS NOT NULL OR ${alias}.deleted_at IS NOT NULL)`;
}
