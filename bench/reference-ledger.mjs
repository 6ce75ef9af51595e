// What metered calls are measured against: the smallest ledger that holds an amount, charges it and keeps receipts, in a
// schema of its own on the same PostgreSQL. Two prepared statements a call, driven without any server in between.

/** One bucket an account; dropped and made again by every run. */
export const REFERENCE_SCHEMA = `
DROP SCHEMA IF EXISTS bench_reference CASCADE;
CREATE SCHEMA bench_reference;
CREATE TABLE bench_reference.purse (account integer PRIMARY KEY, total bigint NOT NULL, used bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0, CHECK (used >= 0 AND held >= 0 AND used + held <= total)) WITH (fillfactor = 50);
CREATE TABLE bench_reference.receipt (id uuid PRIMARY KEY, account integer NOT NULL REFERENCES bench_reference.purse,
  key text NOT NULL, price integer NOT NULL, state text NOT NULL, lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz) WITH (fillfactor = 70);
CREATE UNIQUE INDEX receipt_one_live ON bench_reference.receipt (account, key) WHERE state IN ('held', 'charged');
CREATE INDEX receipt_due ON bench_reference.receipt (lease_until) WHERE state = 'held';
CREATE TABLE bench_reference.movement (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  receipt_id uuid NOT NULL REFERENCES bench_reference.receipt, account integer NOT NULL, kind text NOT NULL,
  d_used bigint NOT NULL, d_held bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE UNIQUE INDEX movement_once ON bench_reference.movement (receipt_id, kind);
INSERT INTO bench_reference.purse SELECT n, 1000000000000 FROM generate_series(1, 1000) n;
ANALYZE bench_reference.purse;`;

const HOLD = `
WITH p AS (UPDATE bench_reference.purse SET held = held + 10
  WHERE account = $1 AND total - used - held >= 10 RETURNING account),
r AS (INSERT INTO bench_reference.receipt (id, account, key, price, state, lease_until)
  SELECT gen_random_uuid(), account, gen_random_uuid()::text, 10, 'held', clock_timestamp() + interval '1 minute' FROM p
  RETURNING id, account, price),
m AS (INSERT INTO bench_reference.movement (receipt_id, account, kind, d_used, d_held)
  SELECT id, account, 'hold', 0, price FROM r)
SELECT id FROM r`;

// The purse is locked first, as by a hold: two calls of one account never wait for each other in a circle.
const CHARGE = `
WITH l AS (SELECT account FROM bench_reference.purse WHERE account = $1 FOR NO KEY UPDATE),
r AS (UPDATE bench_reference.receipt t SET state = 'charged', ended_at = clock_timestamp() FROM l
  WHERE t.id = $2 AND t.account = l.account AND t.state = 'held' AND t.lease_until > clock_timestamp()
  RETURNING t.id, t.account, t.price),
p AS (UPDATE bench_reference.purse t SET held = t.held - r.price, used = t.used + r.price FROM r
  WHERE t.account = r.account RETURNING t.total, t.used),
m AS (INSERT INTO bench_reference.movement (receipt_id, account, kind, d_used, d_held)
  SELECT id, account, 'charge', price, -price FROM r)
SELECT total, used FROM p`;

/** One call: its hold and its charge, each a transaction of its own. */
export async function chargeOnce(client, account) {
  const held = await client.query({ name: 'hold', text: HOLD, values: [account] });
  const charged = await client.query({ name: 'charge', text: CHARGE, values: [account, held.rows[0].id] });
  if (charged.rowCount !== 1) throw new Error('the reference ledger did not charge');
}
