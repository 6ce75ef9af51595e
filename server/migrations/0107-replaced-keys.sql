-- A key that replaces another one shares its monthly spending. `spends_as` is the first key of such a row of keys, by whose id
-- their spending is counted. Keys that share spending have the same limits.
ALTER TABLE access_key ADD COLUMN spends_as uuid CONSTRAINT access_key_spends_as_fkey REFERENCES access_key (id);

CREATE OR REPLACE FUNCTION count_opened_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(limit_lock_key(spender)) FROM (SELECT DISTINCT coalesce(k.spends_as, k.id) AS spender
    FROM opened o JOIN access_key k ON k.id = coalesce(o.key_id, o.attributed_key_id) ORDER BY 1) s;
  PERFORM spend_by_key(spender, month, calls, credits, monthly_calls, monthly_credits)
    FROM (SELECT coalesce(k.spends_as, k.id) AS spender, month_of(o.created_at) AS month, k.monthly_calls, k.monthly_credits, count(*) AS calls,
        coalesce(sum(o.amount) FILTER (WHERE o.source <> 'free'), 0)::bigint AS credits
      FROM opened o JOIN access_key k ON k.id = coalesce(o.key_id, o.attributed_key_id)
      WHERE k.monthly_calls IS NOT NULL OR k.monthly_credits IS NOT NULL
      GROUP BY k.id, 2 ORDER BY 1, 2) spent;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_ended_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(limit_lock_key(spender)) FROM (SELECT DISTINCT coalesce(k.spends_as, k.id) AS spender
    FROM ended e JOIN access_key k ON k.id = coalesce(e.key_id, e.attributed_key_id)
    WHERE e.state = 'failed' OR e.ended_at = e.created_at ORDER BY 1) s;
  PERFORM spend_by_key(spender, month, calls, credits, CASE WHEN calls > 0 THEN monthly_calls END,
      CASE WHEN calls > 0 THEN monthly_credits END)
    FROM (SELECT coalesce(k.spends_as, k.id) AS spender, month_of(e.created_at) AS month, k.monthly_calls, k.monthly_credits,
        sum(CASE e.state WHEN 'failed' THEN -1 ELSE 1 END)::bigint AS calls,
        coalesce(sum(CASE e.state WHEN 'failed' THEN -e.amount ELSE e.amount END) FILTER (WHERE e.source <> 'free'), 0)::bigint AS credits
      FROM ended e JOIN access_key k ON k.id = coalesce(e.key_id, e.attributed_key_id)
      WHERE (k.monthly_calls IS NOT NULL OR k.monthly_credits IS NOT NULL)
        AND (e.state = 'failed' OR e.ended_at = e.created_at)
      GROUP BY k.id, 2 ORDER BY 1, 2) spent;
  RETURN NULL;
END $$;

-- down
CREATE OR REPLACE FUNCTION count_opened_runs() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION count_ended_runs() RETURNS trigger LANGUAGE plpgsql AS $$
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

ALTER TABLE access_key DROP COLUMN spends_as;
