-- A run may be written once, held and settled in the same moment: where its score is known before anything is held, no open run
-- comes before it. So one key may be charged in one process while another opens a run with it, and neither sees the other until
-- both are committed. They take turns by the key, and look again once they have theirs.
-- Why one live run of a key still holds stands in src/ledger/README.md.

-- The turn that a key of an account has. Turns are taken in one order, so that two batches never wait for each other in a circle.
CREATE FUNCTION turn_of_key(account_id uuid, idempotency_key text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(idempotency_key, uuid_hash_extended(account_id, 0));

CREATE OR REPLACE FUNCTION refuse_second_live_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(turn) FROM (SELECT turn_of_key(account_id, idempotency_key) AS turn FROM opened ORDER BY 1) o;
  IF EXISTS (SELECT FROM opened o LEFT JOIN LATERAL (SELECT e.attempt, e.state FROM ended_run e
      WHERE e.account_id = o.account_id AND e.idempotency_key = o.idempotency_key ORDER BY e.attempt DESC LIMIT 1) e ON true
    WHERE o.attempt <> coalesce(e.attempt, 0) + 1 OR e.state <> 'failed') THEN
    RAISE unique_violation USING MESSAGE = 'the attempt before this one has not failed', TABLE = 'open_run',
      CONSTRAINT = 'open_run_one_live';
  END IF;
  RETURN NULL;
END $$;

-- What was open before has left with the statement that ends it; what began and ended at once may meet an open run.
CREATE FUNCTION refuse_charge_beside_open_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(turn) FROM (SELECT turn_of_key(account_id, idempotency_key) AS turn FROM ended
    WHERE ended_at = created_at ORDER BY 1) e;
  IF FOUND AND EXISTS (SELECT FROM ended e WHERE e.ended_at = e.created_at
      AND EXISTS (SELECT FROM open_run o WHERE o.idempotency_key = e.idempotency_key
        AND o.account_id IS NOT DISTINCT FROM e.account_id OFFSET 0)) THEN
    RAISE unique_violation USING MESSAGE = 'a run of this idempotency key is open', TABLE = 'ended_run',
      CONSTRAINT = 'ended_run_one_live';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ended_run_one_live AFTER INSERT ON ended_run REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_charge_beside_open_run();

-- down
DROP TRIGGER ended_run_one_live ON ended_run;
DROP FUNCTION refuse_charge_beside_open_run();
CREATE OR REPLACE FUNCTION refuse_second_live_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM opened o LEFT JOIN LATERAL (SELECT e.attempt, e.state FROM ended_run e
      WHERE e.account_id = o.account_id AND e.idempotency_key = o.idempotency_key ORDER BY e.attempt DESC LIMIT 1) e ON true
    WHERE o.attempt <> coalesce(e.attempt, 0) + 1 OR e.state <> 'failed') THEN
    RAISE unique_violation USING MESSAGE = 'the attempt before this one has not failed', TABLE = 'open_run',
      CONSTRAINT = 'open_run_one_live';
  END IF;
  RETURN NULL;
END $$;
DROP FUNCTION turn_of_key(uuid, text);
