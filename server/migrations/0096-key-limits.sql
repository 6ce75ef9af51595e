-- Keys may read the balance of their account, and their owners may limit what a key spends in a month.
ALTER TABLE access_key
  DROP CONSTRAINT access_key_scopes_check,
  ADD CONSTRAINT access_key_scopes_check CHECK (scopes <@ ARRAY['scores:read'::text, 'lineage:read'::text,
    'agents:register'::text, 'balance:read'::text] AND cardinality(scopes) > 0) NOT VALID,
  ADD COLUMN monthly_calls bigint CONSTRAINT access_key_monthly_calls_check CHECK (monthly_calls >= 0),
  ADD COLUMN monthly_credits bigint CONSTRAINT access_key_monthly_credits_check CHECK (monthly_credits >= 0);
ALTER TABLE access_key VALIDATE CONSTRAINT access_key_scopes_check;

-- What keys with a limit have spent in a month (UTC), with what their open runs hold.
CREATE TABLE key_spending (
  key_id uuid NOT NULL REFERENCES access_key (id),
  month timestamptz NOT NULL,
  calls bigint NOT NULL,
  credits bigint NOT NULL,
  PRIMARY KEY (key_id, month)
) WITH (fillfactor = 50);

CREATE FUNCTION month_of(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' $$;

CREATE FUNCTION limit_lock_key(key uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT uuid_hash_extended(key, 96) $$;

CREATE FUNCTION spend_by_key(key uuid, asked_month timestamptz, more_calls bigint, more_credits bigint, most_calls bigint,
  most_credits bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  total key_spending;
BEGIN
  INSERT INTO key_spending AS s VALUES (key, asked_month, more_calls, more_credits)
    ON CONFLICT (key_id, month) DO UPDATE SET calls = s.calls + more_calls, credits = s.credits + more_credits
    RETURNING * INTO total;
  IF total.calls > most_calls OR total.credits > most_credits THEN
    RAISE check_violation USING MESSAGE = 'the access key would exceed its monthly limit', TABLE = 'key_spending',
      CONSTRAINT = 'key_spending_within_limit';
  END IF;
END $$;

-- The shared lock makes a statement that opens runs and a transaction that sets a limit see each other.
CREATE FUNCTION count_opened_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(limit_lock_key(key)) FROM (SELECT DISTINCT coalesce(key_id, attributed_key_id) AS key
    FROM opened ORDER BY 1) k WHERE key IS NOT NULL;
  PERFORM spend_by_key(id, month, calls, credits, monthly_calls, monthly_credits)
    FROM (SELECT k.id, month_of(o.created_at) AS month, k.monthly_calls, k.monthly_credits, count(*) AS calls,
        coalesce(sum(o.amount) FILTER (WHERE o.source <> 'free'), 0)::bigint AS credits
      FROM opened o JOIN access_key k ON k.id = coalesce(o.key_id, o.attributed_key_id)
      WHERE k.monthly_calls IS NOT NULL OR k.monthly_credits IS NOT NULL
      GROUP BY k.id, 2 ORDER BY k.id, 2) spent;
  RETURN NULL;
END $$;

-- A run that opens and ends in one statement has one time for both. A run that was open was counted when it opened.
CREATE FUNCTION count_ended_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(limit_lock_key(key)) FROM (SELECT DISTINCT coalesce(key_id, attributed_key_id) AS key
    FROM ended WHERE state = 'failed' OR ended_at = created_at ORDER BY 1) k WHERE key IS NOT NULL;
  PERFORM spend_by_key(id, month, calls, credits, CASE WHEN calls > 0 THEN monthly_calls END,
      CASE WHEN calls > 0 THEN monthly_credits END)
    FROM (SELECT k.id, month_of(e.created_at) AS month, k.monthly_calls, k.monthly_credits,
        sum(CASE e.state WHEN 'failed' THEN -1 ELSE 1 END)::bigint AS calls,
        coalesce(sum(CASE e.state WHEN 'failed' THEN -e.amount ELSE e.amount END) FILTER (WHERE e.source <> 'free'), 0)::bigint AS credits
      FROM ended e JOIN access_key k ON k.id = coalesce(e.key_id, e.attributed_key_id)
      WHERE (k.monthly_calls IS NOT NULL OR k.monthly_credits IS NOT NULL)
        AND (e.state = 'failed' OR e.ended_at = e.created_at)
      GROUP BY k.id, 2 ORDER BY k.id, 2) spent;
  RETURN NULL;
END $$;

CREATE TRIGGER open_run_counted AFTER INSERT ON open_run
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION count_opened_runs();
CREATE TRIGGER ended_run_counted AFTER INSERT ON ended_run
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION count_ended_runs();

-- down
DROP TRIGGER ended_run_counted ON ended_run;
DROP TRIGGER open_run_counted ON open_run;
DROP FUNCTION count_ended_runs();
DROP FUNCTION count_opened_runs();
DROP FUNCTION spend_by_key(uuid, timestamptz, bigint, bigint, bigint, bigint);
DROP FUNCTION limit_lock_key(uuid);
DROP FUNCTION month_of(timestamptz);
DROP TABLE key_spending;
UPDATE access_key SET scopes = array_remove(scopes, 'balance:read')
  WHERE 'balance:read' = ANY (scopes) AND cardinality(scopes) > 1;
UPDATE access_key SET revoked_at = coalesce(revoked_at, ledger_now()), scopes = ARRAY['scores:read']
  WHERE 'balance:read' = ANY (scopes);
ALTER TABLE access_key DROP COLUMN monthly_credits, DROP COLUMN monthly_calls,
  DROP CONSTRAINT access_key_scopes_check,
  ADD CONSTRAINT access_key_scopes_check CHECK (scopes <@ ARRAY['scores:read'::text, 'lineage:read'::text,
    'agents:register'::text] AND cardinality(scopes) > 0);
