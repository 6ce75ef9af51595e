// Defines the reference for metered calls: a minimal ledger that holds an amount, charges it and stores receipts, in a
// separate schema on the same PostgreSQL. A call is two prepared statements, sent without a server in between.

/** Creates the schema with 1,000 accounts of one bucket each; every run drops and creates it again. */
export const REFERENCE_SCHEMA = `
DROP SCHEMA IF EXISTS reference CASCADE;
CREATE SCHEMA reference;
CREATE TABLE reference.bucket (id bigint PRIMARY KEY, total bigint NOT NULL, used bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0, CHECK (used >= 0 AND held >= 0 AND used + held <= total)) WITH (fillfactor = 50);
CREATE TABLE reference.run (id uuid PRIMARY KEY, bucket_id bigint NOT NULL REFERENCES reference.bucket,
  idempotency_key text NOT NULL, amount int NOT NULL, state text NOT NULL, lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz) WITH (fillfactor = 70);
CREATE UNIQUE INDEX run_one_live ON reference.run (bucket_id, idempotency_key) WHERE state IN ('reserved', 'settled');
CREATE INDEX run_due ON reference.run (lease_until) WHERE state = 'reserved';
CREATE TABLE reference.entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id uuid NOT NULL REFERENCES reference.run, bucket_id bigint NOT NULL, kind text NOT NULL,
  d_used bigint NOT NULL DEFAULT 0, d_held bigint NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE UNIQUE INDEX entry_one_hold ON reference.entry (run_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX entry_one_end ON reference.entry (run_id) WHERE kind IN ('settle', 'reverse');
INSERT INTO reference.bucket SELECT n, 1000000000000 FROM generate_series(1, 1000) n;
ANALYZE reference.bucket;`;

const HOLD = `
WITH pick AS (SELECT id FROM reference.bucket WHERE id = $1 AND total - used - held >= 10 FOR NO KEY UPDATE),
u AS (UPDATE reference.bucket b SET held = held + 10 FROM pick WHERE b.id = pick.id RETURNING b.id),
r AS (INSERT INTO reference.run (id, bucket_id, idempotency_key, amount, state, lease_until)
  SELECT gen_random_uuid(), u.id, gen_random_uuid()::text, 10, 'reserved', clock_timestamp() + interval '1 minute' FROM u
  RETURNING id, bucket_id, amount),
e AS (INSERT INTO reference.entry (run_id, bucket_id, kind, d_held) SELECT id, bucket_id, 'hold', amount FROM r)
SELECT id AS run FROM r`;

// Locks the bucket first, as a hold does, so that two calls of one account cannot deadlock.
const CHARGE = `
WITH b0 AS (SELECT id FROM reference.bucket WHERE id = $1 FOR NO KEY UPDATE),
r AS (UPDATE reference.run r SET state = 'settled', ended_at = clock_timestamp() FROM b0
  WHERE r.id = $2::uuid AND r.bucket_id = b0.id AND r.state = 'reserved' AND r.lease_until > clock_timestamp()
  RETURNING r.id, r.bucket_id, r.amount),
b AS (UPDATE reference.bucket b SET held = b.held - r.amount, used = b.used + r.amount FROM r WHERE b.id = r.bucket_id
  RETURNING b.total, b.used),
e AS (INSERT INTO reference.entry (run_id, bucket_id, kind, d_used, d_held)
  SELECT id, bucket_id, 'settle', amount, -amount FROM r)
SELECT total, used FROM b`;

/** Makes one call: a hold and a charge, each in its own transaction. */
export async function chargeOnce(client, account) {
  const held = await client.query({ name: 'hold', text: HOLD, values: [account] });
  const charged = await client.query({ name: 'charge', text: CHARGE, values: [account, held.rows[0].run] });
  if (charged.rowCount !== 1) throw new Error('the reference ledger did not charge');
}

/** Formats the hold and the charge of one call as a pgbench script that picks one of the given number of accounts. */
export function pgbenchScript(accounts) {
  const inOneLine = (sql) =>
    sql.trim().replaceAll(/\s+/g, ' ').replaceAll('$1', ':account').replaceAll('$2', ':run');
  return `\\set account random(1, ${accounts})\n${inOneLine(HOLD)} \\gset\n${inOneLine(CHARGE)};\n`;
}
