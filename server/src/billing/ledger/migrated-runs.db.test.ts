import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { migrateDown, migrateUp } from '../../platform/database/migrate.ts';
import { verifyLedger } from './verify.ts';

const BEFORE = '0030-listing-verdict';
const SINCE = '0031-open-and-ended-runs';
const ACCOUNT = randomUUID();

/** An account with a grant, an open run and three ended runs (one of each kind), in the old format. */
const OLD = `
  INSERT INTO account (id, handle, plan) VALUES (:account, 'old', 'free');
  INSERT INTO session (id, account_id, token_hash, opened_by, expires_at)
    VALUES (:account, :account, sha256('s'), 'operator', now());
  INSERT INTO access_key (id, account_id, session_id, key_hash, last_four, name, scopes)
    VALUES (:account, :account, :account, sha256('k'), 'four', 'old', ARRAY['scores:read']);
  INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total, used, held)
    VALUES (:account, 'gifted', 'credit', 'grant', now() - interval '1 hour', now() + interval '1 day', 100, 10, 12);
  INSERT INTO ledger_entry (account_id, bucket_id, kind, d_total, note) SELECT account_id, id, 'grant', 100, 'a gift' FROM credit_bucket;
  INSERT INTO subject (id, type, name, current_version) VALUES (:account, 'agent', 'old', '2026-11-01T00:00:00.123456Z');
  INSERT INTO usage_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
      subject_id, source, price_credits, amount, state, lease_until, ended_at, score_version, fail_code)
    SELECT account_id, gen_random_uuid(), account_id, id, key, sha256('b'), attempt, 'agent_score', account_id, source, amount, amount,
      state, now() + interval '1 minute', CASE WHEN state <> 'reserved' THEN now() END,
      CASE state WHEN 'settled' THEN timestamptz '2026-11-01T00:00:00.123456Z' END, code
    FROM credit_bucket, (VALUES ('one', 1, 'failed', 'upstream', 7), ('one', 2, 'settled', NULL, 10), ('two', 1, 'reserved', NULL, 12),
      ('three', 1, 'failed', 'lease_expired', 5)) run(key, attempt, state, code, amount);
  INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held, at)
    SELECT account_id, ledger_id, bucket_id, 'hold', amount, created_at FROM usage_run;
  INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_used, d_held, at)
    SELECT account_id, ledger_id, bucket_id, CASE WHEN state = 'settled' THEN 'settle' WHEN fail_code = 'upstream' THEN 'reverse'
      ELSE 'expire' END, CASE state WHEN 'settled' THEN amount ELSE 0 END, -amount, ended_at FROM usage_run WHERE state <> 'reserved';
  INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
      own_confidence, source) VALUES (:account, :account, 'agent', 61.5, 48.2, 41.3, 'medium', 'partial', 60, 47, 'embedded');
  INSERT INTO score_version (subject_id, version, content, ledger_id)
    SELECT subject_id, score_version, subject_id, ledger_id FROM usage_run WHERE state = 'settled'`;

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  await migrateUp(test.url, { to: BEFORE });
  for (const statement of OLD.split(';'))
    await test.database.query(statement.replaceAll(':account', `'${ACCOUNT}'`));
});
afterEach(() => test.close());

/** Returns all runs and all entries, one line each. */
async function allRows(): Promise<string[]> {
  const rows = await test.database.query<{ line: string }>(
    'SELECT to_jsonb(r)::text AS line FROM usage_run r UNION ALL SELECT to_jsonb(e)::text FROM ledger_entry e',
  );
  return rows.map(({ line }) => line).sort();
}

describe('runs from before open and ended ones had separate tables', () => {
  it('keep their values and entries after the migration, and after migrating back', async () => {
    const before = await allRows();

    await migrateUp(test.url, { to: SINCE });
    const after = await allRows();
    // Migrates up, because `verify` requires the current schema.
    await migrateUp(test.url);
    const { bad } = await verifyLedger(test.database);
    await migrateDown(test.url, { to: SINCE });
    const back = await allRows();

    expect(before).toHaveLength(12);
    expect(after).toEqual(before);
    expect(bad).toEqual([]);
    expect(back).toEqual(before);
  });

  it('are not migrated if their entries contradict them', async () => {
    await test.database.query(
      `INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
       SELECT account_id, ledger_id, bucket_id, 'expire', -amount FROM usage_run WHERE state = 'reserved'`,
    );
    const before = await allRows();

    await expect(migrateUp(test.url, { to: SINCE })).rejects.toThrow(/do not come to the same/);

    expect(await allRows()).toEqual(before);
  });
});
