import { verifyLedger } from '../server/src/billing/ledger/verify.ts';
import type { Connection } from '../server/src/platform/database/connect.ts';

// Checks in addition to verifyLedger: a score has the type of its subject and is in range, no run is settled after its
// lease, the attempts of an idempotency key have no gaps and one body, at most one of them has not failed, and buckets
// are within bounds.
const BEYOND = `
SELECT 'score of another type than its subject: ' || s.subject_id AS wrong FROM score s
  JOIN subject j ON j.id = s.subject_id WHERE s.subject_type <> j.type
UNION ALL SELECT 'score out of range: ' || subject_id FROM score
  WHERE NOT (trust BETWEEN 0 AND 100 AND confidence BETWEEN 0 AND 100) OR (trust = 0 AND confidence = 0)
    OR trust = 'NaN' OR confidence = 'NaN'
UNION ALL SELECT 'settled after its lease: ' || ledger_id FROM usage_run WHERE state = 'settled' AND ended_at > lease_until
UNION ALL SELECT 'attempts with a gap: ' || account_id || '/' || idempotency_key FROM usage_run
  GROUP BY account_id, idempotency_key HAVING count(*) <> max(attempt) OR min(attempt) <> 1
UNION ALL SELECT 'an attempt beside one that had not failed: ' || account_id || '/' || idempotency_key FROM usage_run
  WHERE state <> 'failed' GROUP BY account_id, idempotency_key HAVING count(*) > 1
UNION ALL SELECT 'one key with two bodies: ' || account_id || '/' || idempotency_key FROM usage_run
  GROUP BY account_id, idempotency_key HAVING count(DISTINCT fingerprint) > 1
UNION ALL SELECT 'bucket out of bounds: ' || id FROM credit_bucket WHERE used < 0 OR held < 0 OR used + held > total`;

/** Returns a description of each violation in a ledger; empty if there is none. Read-only, also correct under load. */
export async function findFaults(connection: Connection): Promise<string[]> {
  const { bad } = await verifyLedger(connection);
  const beyond = await connection.query<{ wrong: string }>(BEYOND);
  return [...bad.map(({ problem, id }) => `${problem}: ${id}`), ...beyond.map(({ wrong }) => wrong)];
}
