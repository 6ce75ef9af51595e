-- The whole schema. Written by `npm run schema` from the migrations: do not edit.
-- Run it in one transaction, for example with psql --single-transaction.
SET LOCAL check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE FUNCTION announce(change text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  said text := coalesce(nullif(current_setting('directory.announced', true), ''), '0');
BEGIN
  IF said = '*' THEN RETURN; END IF;
  -- A transaction that changes this much is an import: everything, said once.
  IF said::int >= 100 THEN change := '*'; END IF;
  PERFORM set_config('directory.announced', CASE change WHEN '*' THEN '*' ELSE (said::int + 1)::text END, true);
  RAISE INFO USING ERRCODE = 'TD001', MESSAGE = change;
  PERFORM pg_notify('directory_changed', change);
END $function$;

CREATE FUNCTION announce_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT announced_everything() AND EXISTS (TABLE touched EXCEPT TABLE before) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION announce_everything()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('*');
  RETURN NULL;
END $function$;

CREATE FUNCTION announce_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce(NEW.subject_id::text);
  RETURN NULL;
END $function$;

CREATE FUNCTION announce_ranking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('ranking,' || NEW.subject_id);
  RETURN NULL;
END $function$;

CREATE FUNCTION announce_scores()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  change text;
BEGIN
  IF announced_everything() THEN RETURN NULL; END IF;
  SELECT CASE WHEN count(*) <= 100 THEN string_agg(id::text, ',') ELSE '*' END INTO change FROM touched;
  IF change IS NOT NULL THEN PERFORM announce(change); END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION announce_touched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT announced_everything() AND EXISTS (SELECT FROM touched) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION announced_everything()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ SELECT coalesce(current_setting('directory.announced', true), '') = '*' $function$;

CREATE FUNCTION carry_changed_tier()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE listing_words SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  UPDATE listing_order SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION count_changed_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  VALUES (OLD.type, OLD.verified, OLD.tier, OLD.category, OLD.kind, OLD.license, -1),
    (NEW.type, NEW.verified, NEW.tier, NEW.category, NEW.kind, NEW.license, 1);
  RETURN NULL;
END $function$;

CREATE FUNCTION count_ended_runs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION count_new_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $function$;

CREATE FUNCTION count_opened_runs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION count_removed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $function$;

CREATE FUNCTION forget_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM change_watermark;
  RETURN NULL;
END $function$;

CREATE FUNCTION ledger_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$SELECT clock_timestamp()$function$;

CREATE FUNCTION limit_lock_key(key uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT uuid_hash_extended(key, 96) $function$;

CREATE FUNCTION listing_marks(kind text, license text, tags text[])
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT ARRAY['#k:' || lower(left(kind, 100) COLLATE "C")]
    || CASE WHEN license <> '' THEN ARRAY['#l:' || lower(left(license, 100) COLLATE "C")] ELSE '{}' END
    || array_remove(string_to_array(lower('#t:' || CASE WHEN length(array_to_string(tags, '')) > 100
        THEN regexp_replace(array_to_string(tags, E'\x1f#t:'), E'((^|\x1f#t:)[^\x1f]{100})[^\x1f]+', E'\\1', 'g')
        ELSE array_to_string(tags, E'\x1f#t:') END COLLATE "C"), E'\x1f'), '#t:')
$function$;

CREATE FUNCTION listings_naming(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
  WITH RECURSIVE older (id, depth) AS (
    SELECT asked.id, 0 FROM unnest(ids) AS asked (id)
    UNION
    SELECT r.from_listing_id, older.depth + 1 FROM older JOIN relation r ON r.to_listing_id = older.id
    WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.from_listing_id IS NOT NULL AND r.directed
      AND r.type IN ('renamed_to', 'probable_rename_to') AND older.depth < 16)
  SELECT id FROM older
  UNION
  SELECT r.from_listing_id FROM unnest(ids) AS asked (id) JOIN relation r ON r.to_listing_id = asked.id
  WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.from_listing_id IS NOT NULL
    AND r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')
  UNION
  SELECT r.to_listing_id FROM unnest(ids) AS asked (id) JOIN relation r ON r.from_listing_id = asked.id
  WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.to_listing_id IS NOT NULL AND NOT r.directed
    AND r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')
$function$;

CREATE FUNCTION lists_of(imported jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN jsonb_typeof(imported -> 'sources') = 'array' THEN greatest(1, jsonb_array_length(imported -> 'sources')) ELSE 1 END
$function$;

CREATE FUNCTION month_of(moment timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' $function$;

CREATE FUNCTION name_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'creator' THEN PERFORM name_creators(ARRAY(SELECT subject_id FROM added));
    WHEN 'artifact' THEN PERFORM name_artifacts(ARRAY(SELECT subject_id FROM added));
  END CASE;
  RETURN NULL;
END $function$;

CREATE FUNCTION name_added_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO listed_name (of, key, subject_id, weight)
  SELECT 'listing', name_key(name), subject_id, coalesce(stars, 0) FROM added;
  UPDATE listed_name n SET weight = a.stars FROM (SELECT creator_id, max(stars) AS stars FROM added GROUP BY 1) AS a
  WHERE n.subject_id = a.creator_id AND n.weight < a.stars;
  RETURN NULL;
END $function$;

CREATE FUNCTION name_artifacts(ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT 'artifact', name_key(a.name), a.subject_id, coalesce(l.stars, 0), name_words(a.name)
  FROM unnest(ids) AS named JOIN artifact a ON a.subject_id = named JOIN listing l ON l.subject_id = a.listing_id
$function$;

CREATE FUNCTION name_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM listed_name WHERE subject_id = NEW.subject_id;
  CASE TG_TABLE_NAME
    WHEN 'creator' THEN PERFORM name_creators(ARRAY[NEW.subject_id]);
    WHEN 'artifact' THEN PERFORM name_artifacts(ARRAY[NEW.subject_id]);
  END CASE;
  RETURN NULL;
END $function$;

CREATE FUNCTION name_changed_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE listed_name SET key = name_key(NEW.name), weight = coalesce(NEW.stars, 0) WHERE subject_id = NEW.subject_id;
  UPDATE listed_name SET weight = coalesce(NEW.stars, 0)
  WHERE subject_id IN (SELECT a.subject_id FROM artifact a WHERE a.listing_id = NEW.subject_id);
  -- Only where it was the most starred one are the creator's others looked at.
  UPDATE listed_name SET weight = NEW.stars WHERE subject_id = NEW.creator_id AND weight < NEW.stars;
  IF NEW.creator_id <> OLD.creator_id OR OLD.stars > coalesce(NEW.stars, 0) THEN
    UPDATE listed_name SET weight = coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = OLD.creator_id), 0)
    WHERE subject_id = OLD.creator_id AND weight = OLD.stars;
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION name_creators(ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT DISTINCT ON (c.subject_id, key) 'creator', key, c.subject_id,
    coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = c.subject_id), 0),
    name_words(c.handle || ' ' || coalesce(c.display_name, ''))
  FROM unnest(ids) AS named JOIN creator c ON c.subject_id = named CROSS JOIN LATERAL unnest(ARRAY[name_key(c.handle), name_key(c.display_name)]) AS key
  WHERE key <> ''
$function$;

CREATE FUNCTION name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT left(lower(normalize(btrim(name), NFKC)), 200) $function$;

CREATE FUNCTION name_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM listed_name n USING removed r WHERE n.subject_id = r.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION name_words(names text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT array_to_tsvector(array_remove(regexp_split_to_array(
    CASE WHEN length(lower(normalize(names, NFKC))) > 100
      THEN regexp_replace(lower(normalize(names, NFKC)), '([^[:space:][:punct:]]{100})[^[:space:][:punct:]]+', '\1', 'g')
      ELSE lower(normalize(names, NFKC)) END, '[[:space:][:punct:]]+'), ''))
$function$;

CREATE FUNCTION near_words(asked text, threshold real, most integer)
 RETURNS TABLE(word text)
 LANGUAGE plpgsql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT n.word FROM (SELECT s.word FROM search_word s WHERE s.word % asked AND s.named > 0 LIMIT 20 * most) n
    GROUP BY n.word ORDER BY similarity(n.word, asked) DESC, n.word LIMIT most;
END $function$;

CREATE FUNCTION plan_in_force(plan text, next_plan text, next_plan_from timestamp with time zone)
 RETURNS text
 LANGUAGE sql
AS $function$SELECT CASE WHEN next_plan_from <= ledger_now() THEN next_plan ELSE plan END$function$;

CREATE FUNCTION record_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT 'listing', subject_id FROM touched;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_advisories()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_TABLE_NAME = 'advisory' THEN
    INSERT INTO change (kind, item) SELECT 'advisory', id FROM touched;
  ELSE
    INSERT INTO change (kind, item) SELECT DISTINCT 'advisory', advisory_id FROM touched;
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_artifact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT 'listing', id FROM (SELECT NEW.subject_id AS id
    UNION SELECT OLD.listing_id WHERE OLD.listing_id <> NEW.listing_id
    UNION SELECT NEW.listing_id WHERE OLD.listing_id <> NEW.listing_id) AS changed;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT DISTINCT 'listing', listing_id FROM touched;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_creator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  renamed CONSTANT boolean := (OLD.host, OLD.handle, OLD.merged_into) IS DISTINCT FROM (NEW.host, NEW.handle, NEW.merged_into);
BEGIN
  INSERT INTO change (kind, subject_id)
  WITH changed AS MATERIALIZED (SELECT NEW.subject_id
    UNION SELECT subject_id FROM creator WHERE renamed AND lower(handle) IN (lower(OLD.handle), lower(NEW.handle)))
  SELECT 'listing', subject_id FROM changed
  UNION ALL SELECT 'listing', l.subject_id FROM changed c JOIN listing l ON l.creator_id = c.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES ('listing', NEW.subject_id);
  IF (OLD.name, OLD.repository_created_at) IS DISTINCT FROM (NEW.name, NEW.repository_created_at) THEN
    INSERT INTO change (kind, subject_id)
    SELECT 'listing', id FROM listings_naming(ARRAY[NEW.subject_id]) AS id WHERE id <> NEW.subject_id;
  END IF;
  IF (OLD.host, OLD.repository, OLD.verified) IS DISTINCT FROM (NEW.host, NEW.repository, NEW.verified) THEN
    INSERT INTO change (kind, subject_id) SELECT 'listing', subject_id FROM artifact WHERE listing_id = NEW.subject_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES ('listing', NEW.id);
  RETURN NULL;
END $function$;

CREATE FUNCTION record_new_creators()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id)
  WITH namesake AS MATERIALIZED (
    SELECT DISTINCT c.subject_id FROM touched t JOIN creator c ON lower(c.handle) = lower(t.handle) AND c.subject_id <> t.subject_id)
  SELECT 'listing', subject_id FROM touched
  UNION ALL SELECT 'listing', subject_id FROM namesake
  UNION ALL SELECT 'listing', l.subject_id FROM namesake n JOIN listing l ON l.creator_id = n.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_relations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  ids uuid[];
BEGIN
  SELECT array_agg(DISTINCT id) INTO ids FROM (
    SELECT unnest(ARRAY[from_listing_id, to_listing_id]) AS id FROM touched
    WHERE from_path IS NULL AND to_path IS NULL AND type IN ('renamed_to', 'probable_rename_to', 'duplicate_of', 'copied_from',
      'same_name_and_description', 'same_tool_manifest')) AS ends WHERE id IS NOT NULL;
  INSERT INTO change (kind, subject_id) SELECT 'listing', id FROM listings_naming(ids) AS id;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id, item) SELECT 'removal', t.subject_id, to_jsonb(t) ->> 'agent_id' FROM touched t;
  RETURN NULL;
END $function$;

CREATE FUNCTION record_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES (TG_ARGV[0], coalesce(NEW.subject_id, OLD.subject_id));
  RETURN NULL;
END $function$;

CREATE FUNCTION record_scores()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'on'
AS $function$
DECLARE
  proved uuid[];
BEGIN
  INSERT INTO change (kind, subject_id)
  SELECT 'score', t.id FROM touched t JOIN before b ON b.id = t.id WHERE t.current_version IS DISTINCT FROM b.current_version
  UNION ALL
  SELECT 'verdict', t.id FROM touched t JOIN before b ON b.id = t.id
  WHERE b.current_version IS NULL AND t.current_version IS NOT NULL
  UNION ALL
  SELECT 'verdict', judged.id FROM (SELECT t.id,
      (SELECT e.verdict || ' ' || array_to_string(e.reasons, ' ') FROM score_version v
        JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
        WHERE v.subject_id = t.id AND v.version = b.current_version) AS was,
      (SELECT e.verdict || ' ' || array_to_string(e.reasons, ' ') FROM score_version v
        JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
        WHERE v.subject_id = t.id AND v.version = t.current_version) AS became
    FROM touched t JOIN before b ON b.id = t.id
    WHERE t.current_version <> b.current_version
      AND NOT EXISTS (SELECT FROM listing_rank k WHERE k.subject_id = t.id OFFSET 0) OFFSET 0) judged
  WHERE judged.was IS NULL OR judged.was IS DISTINCT FROM judged.became;
  IF NOT EXISTS (SELECT FROM touched WHERE type = 'creator') THEN RETURN NULL; END IF;
  SELECT array_agg(c.subject_id) INTO proved FROM touched t JOIN creator c ON c.subject_id = t.id WHERE c.verified;
  IF proved IS NULL THEN RETURN NULL; END IF;
  INSERT INTO change (kind, subject_id)
  SELECT 'listing', l.subject_id
  FROM touched t JOIN before b ON b.id = t.id
  LEFT JOIN score was ON was.subject_id = t.id AND was.version = b.current_version
  LEFT JOIN score became ON became.subject_id = t.id AND became.version = t.current_version
  JOIN listing l ON l.creator_id = t.id
  WHERE t.id = ANY (proved) AND t.current_version IS DISTINCT FROM b.current_version
    AND (became.trust IS NULL OR (was.trust, was.confidence) IS DISTINCT FROM (became.trust, became.confidence));
  RETURN NULL;
END $function$;

CREATE FUNCTION record_standings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO change (kind, item) SELECT 'standing', type || '/' || category FROM touched;
  RETURN NULL;
END $function$;

CREATE FUNCTION refuse_called()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM usage_run r WHERE r.account_id = OLD.account_id
    AND OLD.id IN (r.key_id, r.session_id, r.attributed_key_id)) THEN
    RAISE foreign_key_violation USING MESSAGE = format('calls were made with it: %s on %s is not allowed', TG_OP, TG_TABLE_NAME);
  END IF;
  RETURN OLD;
END $function$;

CREATE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: receipts and ledger entries are kept as they are', TG_OP, TG_TABLE_NAME;
END $function$;

CREATE FUNCTION refuse_charge_beside_open_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION refuse_second_live_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(turn) FROM (SELECT turn_of_key(account_id, idempotency_key) AS turn FROM opened ORDER BY 1) o;
  IF EXISTS (SELECT FROM opened o LEFT JOIN LATERAL (SELECT e.attempt, e.state FROM ended_run e
      WHERE e.account_id = o.account_id AND e.idempotency_key = o.idempotency_key ORDER BY e.attempt DESC LIMIT 1) e ON true
    WHERE o.attempt <> coalesce(e.attempt, 0) + 1 OR e.state <> 'failed') THEN
    RAISE unique_violation USING MESSAGE = 'the attempt before this one has not failed', TABLE = 'open_run',
      CONSTRAINT = 'open_run_one_live';
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION refuse_unarchived()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  large CONSTANT text[] := '{inputs,contributions,caps,archived_in}';
BEGIN
  IF EXISTS (SELECT FROM was FULL JOIN became USING (subject_id, content)
    LEFT JOIN score_archive a ON a.subject_id = became.subject_id AND a.part = became.archived_in
    WHERE was.archived_in IS NOT NULL OR to_jsonb(was) - large IS DISTINCT FROM to_jsonb(became) - large
      OR a.details -> content::text IS DISTINCT FROM
        jsonb_build_object('inputs', was.inputs, 'contributions', was.contributions, 'caps', was.caps)) THEN
    RAISE EXCEPTION 'UPDATE on score_evidence is not allowed: what scores are made of is kept as it is, or archived';
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION refuse_uncarried()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM (SELECT account_id, bucket_id, jsonb_agg(to_jsonb(gone) - '{account_id,bucket_id}'::text[]
        ORDER BY at, kind, d_total, note) AS entries FROM gone GROUP BY 1, 2) g
    WHERE NOT EXISTS (SELECT FROM bucket_entry e JOIN credit_bucket b ON b.account_id = e.account_id AND b.id = e.bucket_id
      WHERE e.account_id = g.account_id AND e.bucket_id = g.bucket_id AND e.kind = 'carry' AND b.archived_at IS NOT NULL
        AND (e.d_total, e.d_used, e.d_held, b.held) = (b.total, b.used, 0, 0) AND e.note::jsonb = g.entries)) THEN
    RAISE EXCEPTION 'DELETE on bucket_entry is not allowed: ledger entries are kept as they are, or carried';
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION spend_by_key(key uuid, asked_month timestamp with time zone, more_calls bigint, more_credits bigint, most_calls bigint, most_credits bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION turn_of_key(account_id uuid, idempotency_key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(idempotency_key, uuid_hash_extended(account_id, (0)::bigint));

CREATE FUNCTION utc_text(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')$function$;

CREATE TABLE account (
  id uuid NOT NULL,
  handle text,
  plan text NOT NULL,
  overage_enabled boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  suspended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  next_plan text,
  next_plan_from timestamp with time zone,
  overage_cap bigint,
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_check CHECK ((next_plan IS NULL) = (next_plan_from IS NULL)),
  CONSTRAINT account_check1 CHECK (overage_cap IS NULL OR overage_enabled),
  CONSTRAINT account_handle_check CHECK (handle ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$'::text),
  CONSTRAINT account_overage_cap_check CHECK (overage_cap > 0)
);
CREATE UNIQUE INDEX account_handle ON account USING btree (lower(handle));

CREATE TABLE session (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  opened_by text NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  last_seen_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT session_pkey PRIMARY KEY (id),
  CONSTRAINT session_token_hash_key UNIQUE (token_hash),
  CONSTRAINT session_opened_by_check CHECK (opened_by = ANY (ARRAY['operator'::text, 'sign_in'::text])),
  CONSTRAINT session_token_hash_check CHECK (octet_length(token_hash) = 32),
  CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX session_account ON session USING btree (account_id);
CREATE INDEX session_created ON session USING btree (created_at);
CREATE TRIGGER session_kept BEFORE DELETE ON session FOR EACH ROW EXECUTE FUNCTION refuse_called();
CREATE TRIGGER session_not_emptied BEFORE TRUNCATE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE access_key (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  session_id uuid NOT NULL,
  key_hash bytea NOT NULL,
  last_four text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  expires_at timestamp with time zone,
  paused_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  monthly_calls bigint,
  monthly_credits bigint,
  spends_as uuid,
  CONSTRAINT access_key_pkey PRIMARY KEY (id),
  CONSTRAINT access_key_key_hash_key UNIQUE (key_hash),
  CONSTRAINT access_key_key_hash_check CHECK (octet_length(key_hash) = 32),
  CONSTRAINT access_key_last_four_check CHECK (length(last_four) = 4),
  CONSTRAINT access_key_monthly_calls_check CHECK (monthly_calls >= 0),
  CONSTRAINT access_key_monthly_credits_check CHECK (monthly_credits >= 0),
  CONSTRAINT access_key_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  CONSTRAINT access_key_scopes_check CHECK (scopes <@ ARRAY['scores:read'::text, 'lineage:read'::text,
    'agents:register'::text, 'balance:read'::text] AND cardinality(scopes) > 0),
  CONSTRAINT access_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT access_key_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  CONSTRAINT access_key_spends_as_fkey FOREIGN KEY (spends_as) REFERENCES access_key(id)
);
CREATE INDEX access_key_account ON access_key USING btree (account_id);
CREATE INDEX access_key_created ON access_key USING btree (created_at);
CREATE TRIGGER access_key_kept BEFORE DELETE ON access_key FOR EACH ROW EXECUTE FUNCTION refuse_called();
CREATE TRIGGER access_key_not_emptied BEFORE TRUNCATE ON access_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE advisory (
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  url text,
  aliases text[] NOT NULL,
  published_at timestamp with time zone,
  modified_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  disputed boolean NOT NULL,
  summary text NOT NULL,
  details text NOT NULL,
  severity text,
  cvss text,
  category text NOT NULL,
  problem text,
  content_hash text NOT NULL,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT advisory_pkey PRIMARY KEY (id)
);
CREATE TRIGGER change_added AFTER INSERT ON advisory
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON advisory
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON advisory
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_updated AFTER UPDATE ON advisory
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();

CREATE TABLE advisory_dispute (
  advisory_id text COLLATE "C" NOT NULL,
  ecosystem text NOT NULL,
  package text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  versions text[] NOT NULL,
  reason text NOT NULL,
  stated_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT advisory_dispute_pkey PRIMARY KEY (advisory_id, ecosystem, package, url),
  CONSTRAINT advisory_dispute_ecosystem_check CHECK (ecosystem = ANY (ARRAY['npm'::text, 'pypi'::text]))
);
CREATE TRIGGER change_added AFTER INSERT ON advisory_dispute
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON advisory_dispute
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON advisory_dispute
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_updated AFTER UPDATE ON advisory_dispute
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();

CREATE TABLE advisory_history (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  advisory_id text COLLATE "C" NOT NULL,
  replaced_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  state jsonb NOT NULL,
  CONSTRAINT advisory_history_pkey PRIMARY KEY (id),
  CONSTRAINT advisory_history_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES advisory(id) ON DELETE
    CASCADE
);
CREATE INDEX advisory_history_advisory ON advisory_history USING btree (advisory_id);

CREATE TABLE advisory_package (
  advisory_id text COLLATE "C" NOT NULL,
  place integer NOT NULL,
  ecosystem text NOT NULL,
  package text COLLATE "C" NOT NULL,
  versions text[] NOT NULL,
  intervals jsonb NOT NULL,
  disputed_versions text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT advisory_package_pkey PRIMARY KEY (advisory_id, place),
  CONSTRAINT advisory_package_ecosystem_check CHECK (ecosystem = ANY (ARRAY['npm'::text, 'pypi'::text])),
  CONSTRAINT advisory_package_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES advisory(id) ON DELETE
    CASCADE
);
CREATE INDEX advisory_package_name ON advisory_package USING btree (ecosystem, package);

CREATE TABLE advisory_reading (
  source text NOT NULL,
  ecosystem text NOT NULL,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  records integer NOT NULL,
  CONSTRAINT advisory_reading_pkey PRIMARY KEY (source, ecosystem)
);

CREATE TABLE subject (
  id uuid NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  current_version timestamp with time zone,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT subject_pkey PRIMARY KEY (id),
  CONSTRAINT subject_id_type_key UNIQUE (id, type),
  CONSTRAINT subject_type_check CHECK (type = ANY (ARRAY['agent'::text, 'skill'::text, 'creator'::text,
    'social_account'::text, 'messaging_account'::text]))
) WITH (fillfactor=45);
CREATE TRIGGER announce_added AFTER INSERT ON subject
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE OF type, name ON subject
  FOR EACH ROW
  WHEN (old.type IS DISTINCT FROM new.type OR old.name IS DISTINCT FROM new.name)
  EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON subject
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON subject
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_scored AFTER UPDATE ON subject
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_scores();
CREATE TRIGGER change_scored AFTER UPDATE ON subject
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_scores();
CREATE TRIGGER change_updated AFTER UPDATE OF type, name ON subject
  FOR EACH ROW
  WHEN (old.type IS DISTINCT FROM new.type OR old.name IS DISTINCT FROM new.name)
  EXECUTE FUNCTION record_name();
CREATE TRIGGER subject_kept BEFORE DELETE OR TRUNCATE ON subject
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE creator (
  subject_id uuid NOT NULL,
  host text NOT NULL,
  handle text NOT NULL,
  display_name text,
  verified boolean DEFAULT false NOT NULL,
  account_id uuid,
  imported jsonb,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  merged_into uuid,
  host_account_id text,
  CONSTRAINT creator_pkey PRIMARY KEY (subject_id),
  CONSTRAINT creator_account_id_key UNIQUE (account_id),
  CONSTRAINT creator_merged_bears_nothing CHECK (merged_into IS NULL OR account_id IS NULL AND NOT verified AND
    merged_into <> subject_id),
  CONSTRAINT creator_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT creator_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES creator(subject_id),
  CONSTRAINT creator_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);
CREATE INDEX creator_bare_handle ON creator USING btree (lower(handle));
CREATE UNIQUE INDEX creator_handle ON creator USING btree (host, lower(handle));
CREATE INDEX creator_merged_into ON creator USING btree (merged_into) WHERE merged_into IS NOT NULL;
CREATE TRIGGER announce_added AFTER INSERT ON creator
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON creator
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON creator
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON creator
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON creator
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_new_creators();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON creator
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON creator
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_updated AFTER UPDATE ON creator
  FOR EACH ROW
  WHEN (old.host IS DISTINCT FROM new.host OR old.handle IS DISTINCT FROM new.handle OR old.display_name IS
    DISTINCT FROM new.display_name OR old.verified IS DISTINCT FROM new.verified OR old.merged_into IS
    DISTINCT FROM new.merged_into)
  EXECUTE FUNCTION record_creator();
CREATE TRIGGER creator_named AFTER INSERT ON creator
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_added();
CREATE TRIGGER creator_renamed AFTER UPDATE OF handle, display_name ON creator
  FOR EACH ROW
  WHEN (old.handle IS DISTINCT FROM new.handle OR old.display_name IS DISTINCT FROM new.display_name)
  EXECUTE FUNCTION name_changed();
CREATE TRIGGER creator_unnamed AFTER DELETE ON creator
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_removed();

CREATE TABLE listing (
  subject_id uuid NOT NULL,
  registry_row_id uuid NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  category text NOT NULL,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  creator_id uuid NOT NULL,
  host text NOT NULL,
  repository text NOT NULL,
  repository_url text NOT NULL,
  host_repository_id text,
  homepage text,
  license text,
  stars bigint,
  forks bigint,
  open_issues bigint,
  last_commit_at timestamp with time zone,
  repository_created_at timestamp with time zone,
  archived boolean,
  metrics_observed_at timestamp with time zone,
  npm_package text,
  npm_monthly_downloads bigint,
  pypi_package text,
  verified boolean DEFAULT false NOT NULL,
  parent_id uuid,
  parent_relation text,
  parent_stated boolean,
  parent_acknowledged_at timestamp with time zone,
  source text NOT NULL,
  registered_by uuid,
  imported jsonb,
  listed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  host_owner_id text,
  identity_doubt text,
  npm_confirmed boolean DEFAULT false NOT NULL,
  pypi_confirmed boolean DEFAULT false NOT NULL,
  npm_missing boolean DEFAULT false NOT NULL,
  pypi_missing boolean DEFAULT false NOT NULL,
  other_packages jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT listing_pkey PRIMARY KEY (subject_id),
  CONSTRAINT listing_agent_id_key UNIQUE (agent_id),
  CONSTRAINT listing_registry_row_id_key UNIQUE (registry_row_id),
  CONSTRAINT listing_agent_id_check CHECK (agent_id ~ '^AGT-[0-9A-HJKMNP-TV-Z]{8}$'::text),
  CONSTRAINT listing_category_check CHECK (category = ANY (ARRAY['coding'::text, 'research'::text,
    'productivity'::text, 'data'::text, 'automation'::text, 'creative'::text, 'infrastructure'::text,
    'communication'::text, 'other'::text])),
  CONSTRAINT listing_check CHECK ((parent_id IS NULL) = (parent_relation IS NULL)),
  CONSTRAINT listing_check1 CHECK ((parent_id IS NULL) = (parent_stated IS NULL)),
  CONSTRAINT listing_check2 CHECK (parent_id <> subject_id),
  CONSTRAINT listing_forks_check CHECK (forks >= 0),
  CONSTRAINT listing_npm_monthly_downloads_check CHECK (npm_monthly_downloads >= 0),
  CONSTRAINT listing_open_issues_check CHECK (open_issues >= 0),
  CONSTRAINT listing_parent_relation_check CHECK (parent_relation = ANY (ARRAY['fork_of'::text,
    'port_of'::text, 'based_on'::text, 'built_on'::text, 'copied_from'::text])),
  CONSTRAINT listing_stars_check CHECK (stars >= 0),
  CONSTRAINT listing_type_check CHECK (type = ANY (ARRAY['agent'::text, 'skill'::text])),
  CONSTRAINT listing_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator(subject_id),
  CONSTRAINT listing_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES listing(subject_id),
  CONSTRAINT listing_registered_by_fkey FOREIGN KEY (registered_by) REFERENCES account(id),
  CONSTRAINT listing_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);
CREATE INDEX listing_creator ON listing USING btree (creator_id);
CREATE INDEX listing_host_owner ON listing USING btree (host, host_owner_id) WHERE host_owner_id IS NOT NULL;
CREATE UNIQUE INDEX listing_host_repository_id ON listing USING btree (host, host_repository_id);
CREATE INDEX listing_npm_package ON listing USING btree (npm_package) WHERE npm_package IS NOT NULL;
CREATE INDEX listing_owner ON listing USING btree (lower(split_part(repository, '/'::text, 1)));
CREATE INDEX listing_parent ON listing USING btree (parent_id, agent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX listing_pypi_package ON listing USING btree (lower(regexp_replace(pypi_package, '[-_.]+'::text,
  '-'::text, 'g'::text))) WHERE pypi_package IS NOT NULL;
CREATE UNIQUE INDEX listing_repository ON listing USING btree (lower(host), lower(repository));
CREATE TRIGGER announce_added AFTER INSERT ON listing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE OF subject_id, registry_row_id, agent_id, type, kind, name,
  category, creator_id, host, repository, verified, parent_id, parent_relation, parent_stated,
  parent_acknowledged_at, source, listed_at ON listing
  FOR EACH ROW
  WHEN (old.subject_id IS DISTINCT FROM new.subject_id OR old.registry_row_id IS DISTINCT FROM
    new.registry_row_id OR old.agent_id IS DISTINCT FROM new.agent_id OR old.type IS DISTINCT FROM new.type OR
    old.kind IS DISTINCT FROM new.kind OR old.name IS DISTINCT FROM new.name OR old.category IS DISTINCT FROM
    new.category OR old.creator_id IS DISTINCT FROM new.creator_id OR old.host IS DISTINCT FROM new.host OR
    old.repository IS DISTINCT FROM new.repository OR old.verified IS DISTINCT FROM new.verified OR
    old.parent_id IS DISTINCT FROM new.parent_id OR old.parent_relation IS DISTINCT FROM new.parent_relation
    OR old.parent_stated IS DISTINCT FROM new.parent_stated OR old.parent_acknowledged_at IS DISTINCT FROM
    new.parent_acknowledged_at OR old.source IS DISTINCT FROM new.source OR old.listed_at IS DISTINCT FROM
    new.listed_at)
  EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON listing
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_refreshed AFTER UPDATE OF description, tags, repository_url, host_repository_id,
  homepage, license, stars, forks, open_issues, last_commit_at, repository_created_at, archived,
  metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, npm_confirmed, pypi_confirmed,
  npm_missing, pypi_missing, other_packages, updated_at ON listing
  FOR EACH ROW
  WHEN (old.description IS DISTINCT FROM new.description OR old.tags IS DISTINCT FROM new.tags OR
    old.repository_url IS DISTINCT FROM new.repository_url OR old.host_repository_id IS DISTINCT FROM
    new.host_repository_id OR old.homepage IS DISTINCT FROM new.homepage OR old.license IS DISTINCT FROM
    new.license OR old.stars IS DISTINCT FROM new.stars OR old.forks IS DISTINCT FROM new.forks OR
    old.open_issues IS DISTINCT FROM new.open_issues OR old.last_commit_at IS DISTINCT FROM new.last_commit_at
    OR old.repository_created_at IS DISTINCT FROM new.repository_created_at OR old.archived IS DISTINCT FROM
    new.archived OR old.metrics_observed_at IS DISTINCT FROM new.metrics_observed_at OR old.npm_package IS
    DISTINCT FROM new.npm_package OR old.npm_monthly_downloads IS DISTINCT FROM new.npm_monthly_downloads OR
    old.pypi_package IS DISTINCT FROM new.pypi_package OR old.npm_confirmed IS DISTINCT FROM new.npm_confirmed
    OR old.pypi_confirmed IS DISTINCT FROM new.pypi_confirmed OR old.npm_missing IS DISTINCT FROM
    new.npm_missing OR old.pypi_missing IS DISTINCT FROM new.pypi_missing OR old.other_packages IS DISTINCT
    FROM new.other_packages OR old.updated_at IS DISTINCT FROM new.updated_at)
  EXECUTE FUNCTION announce_listing();
CREATE TRIGGER announce_removed AFTER DELETE ON listing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON listing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON listing
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON listing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_updated AFTER UPDATE ON listing
  FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION record_listing();
CREATE TRIGGER listing_named AFTER INSERT ON listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_added_listings();
CREATE TRIGGER listing_renamed AFTER UPDATE OF name, stars, creator_id ON listing
  FOR EACH ROW
  WHEN (old.name IS DISTINCT FROM new.name OR old.stars IS DISTINCT FROM new.stars OR old.creator_id IS
    DISTINCT FROM new.creator_id)
  EXECUTE FUNCTION name_changed_listing();
CREATE TRIGGER listing_unnamed AFTER DELETE ON listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_removed();

CREATE TABLE artifact (
  subject_id uuid NOT NULL,
  registry_row_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  type text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  path text,
  description text DEFAULT ''::text NOT NULL,
  license text,
  npm_package text,
  pypi_package text,
  source text NOT NULL,
  imported jsonb,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT artifact_pkey PRIMARY KEY (subject_id),
  CONSTRAINT artifact_registry_row_id_key UNIQUE (registry_row_id),
  CONSTRAINT artifact_type_check CHECK (type = ANY (ARRAY['agent'::text, 'skill'::text])),
  CONSTRAINT artifact_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id),
  CONSTRAINT artifact_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);
CREATE UNIQUE INDEX artifact_name ON artifact USING btree (listing_id, name);
CREATE INDEX artifact_npm_package ON artifact USING btree (npm_package) WHERE npm_package IS NOT NULL;
CREATE INDEX artifact_pypi_package ON artifact USING btree (lower(regexp_replace(pypi_package,
  '[-_.]+'::text, '-'::text, 'g'::text))) WHERE pypi_package IS NOT NULL;
CREATE TRIGGER announce_added AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON artifact
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON artifact
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER artifact_named AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_added();
CREATE TRIGGER artifact_renamed AFTER UPDATE OF name, listing_id ON artifact
  FOR EACH ROW
  WHEN (old.name IS DISTINCT FROM new.name OR old.listing_id IS DISTINCT FROM new.listing_id)
  EXECUTE FUNCTION name_changed();
CREATE TRIGGER artifact_unnamed AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_removed();
CREATE TRIGGER change_added AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_contained AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_container();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON artifact
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_uncontained AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_container();
CREATE TRIGGER change_updated AFTER UPDATE ON artifact
  FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION record_artifact();

CREATE TABLE artifact_other_name (
  listing_id uuid NOT NULL,
  name text NOT NULL,
  subject_id uuid NOT NULL,
  imported jsonb NOT NULL,
  CONSTRAINT artifact_other_name_pkey PRIMARY KEY (listing_id, name),
  CONSTRAINT artifact_other_name_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES artifact(subject_id) ON
    DELETE CASCADE
);
CREATE INDEX artifact_other_name_subject ON artifact_other_name USING btree (subject_id);

CREATE TABLE credit_bucket (
  account_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  source text NOT NULL,
  prio smallint GENERATED ALWAYS AS ( CASE source WHEN 'free'::text THEN 1 WHEN 'gifted'::text THEN 2 WHEN
    'included'::text THEN 3 WHEN 'purchased'::text THEN 4 ELSE 5 END) STORED NOT NULL,
  unit text NOT NULL,
  period_kind text NOT NULL,
  valid_from timestamp with time zone NOT NULL,
  valid_to timestamp with time zone NOT NULL,
  total bigint NOT NULL,
  used bigint DEFAULT 0 NOT NULL,
  held bigint DEFAULT 0 NOT NULL,
  archived_at timestamp with time zone,
  CONSTRAINT credit_bucket_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT credit_bucket_check CHECK (valid_from < valid_to),
  CONSTRAINT credit_bucket_check1 CHECK ((source = 'free'::text) = (unit = 'call'::text)),
  CONSTRAINT credit_bucket_check2 CHECK ((source = ANY (ARRAY['free'::text, 'included'::text,
    'overage'::text])) = (period_kind = 'month'::text)),
  CONSTRAINT credit_bucket_check3 CHECK ((used + held) <= total),
  CONSTRAINT credit_bucket_held_check CHECK (held >= 0),
  CONSTRAINT credit_bucket_period_kind_check CHECK (period_kind = ANY (ARRAY['month'::text, 'grant'::text])),
  CONSTRAINT credit_bucket_source_check CHECK (source = ANY (ARRAY['free'::text, 'gifted'::text,
    'included'::text, 'purchased'::text, 'overage'::text])),
  CONSTRAINT credit_bucket_total_check CHECK (total >= 0),
  CONSTRAINT credit_bucket_unit_check CHECK (unit = ANY (ARRAY['call'::text, 'credit'::text])),
  CONSTRAINT credit_bucket_used_check CHECK (used >= 0),
  CONSTRAINT credit_bucket_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.01);
CREATE INDEX credit_bucket_order ON credit_bucket USING btree (account_id, prio, valid_to, id);
CREATE UNIQUE INDEX credit_bucket_period ON credit_bucket USING btree (account_id, source, valid_from) WHERE
  source = ANY (ARRAY['free'::text, 'included'::text, 'overage'::text]);
CREATE TRIGGER credit_bucket_kept BEFORE DELETE OR TRUNCATE ON credit_bucket
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bucket_entry (
  account_id uuid NOT NULL,
  bucket_id bigint NOT NULL,
  kind text NOT NULL,
  d_total bigint DEFAULT 0 NOT NULL,
  d_used bigint DEFAULT 0 NOT NULL,
  d_held bigint DEFAULT 0 NOT NULL,
  note text,
  at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT bucket_entry_kind_check CHECK (kind = ANY (ARRAY['grant'::text, 'adjust'::text, 'carry'::text])),
  CONSTRAINT bucket_entry_account_id_bucket_id_fkey FOREIGN KEY (account_id, bucket_id) REFERENCES
    credit_bucket(account_id, id)
);
CREATE UNIQUE INDEX bucket_entry_carry ON bucket_entry USING btree (account_id, bucket_id) WHERE kind =
  'carry'::text;
CREATE INDEX bucket_entry_total ON bucket_entry USING btree (account_id, bucket_id) WHERE d_total <> 0;
CREATE TRIGGER bucket_entry_append_only BEFORE UPDATE OR TRUNCATE ON bucket_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bucket_entry_carried AFTER DELETE ON bucket_entry
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_uncarried();

CREATE TABLE category_standing (
  type text NOT NULL,
  category text NOT NULL,
  among integer NOT NULL,
  bounds double precision[] NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  CONSTRAINT category_standing_pkey PRIMARY KEY (type, category),
  CONSTRAINT category_standing_among_check CHECK (among > 0),
  CONSTRAINT category_standing_bounds_check CHECK (cardinality(bounds) = 99),
  CONSTRAINT category_standing_type_check CHECK (type = ANY (ARRAY['agent'::text, 'skill'::text]))
);
CREATE TRIGGER announce_added AFTER INSERT ON category_standing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON category_standing
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON category_standing
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON category_standing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON category_standing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON category_standing
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON category_standing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();
CREATE TRIGGER change_updated AFTER UPDATE ON category_standing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();

CREATE TABLE change (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  subject_id uuid,
  item text COLLATE "C",
  at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT change_pkey PRIMARY KEY (xid, seq),
  CONSTRAINT change_check CHECK (subject_id IS NOT NULL OR item IS NOT NULL),
  CONSTRAINT change_kind_check CHECK (kind = ANY (ARRAY['listing'::text, 'score'::text, 'verdict'::text,
    'advisory'::text, 'removal'::text, 'standing'::text]))
);

CREATE TABLE change_watermark (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  horizon xid8 NOT NULL,
  cluster bigint NOT NULL,
  written_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT change_watermark_pkey PRIMARY KEY (id)
);
CREATE INDEX change_watermark_horizon ON change_watermark USING btree (horizon);
CREATE INDEX change_watermark_written ON change_watermark USING btree (written_at);

CREATE TABLE creator_equity (
  creator_id uuid NOT NULL,
  equity double precision NOT NULL,
  computed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT creator_equity_pkey PRIMARY KEY (creator_id),
  CONSTRAINT creator_equity_equity_check CHECK (equity >= 0::double precision AND equity <= 1::double
    precision),
  CONSTRAINT creator_equity_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator(subject_id) ON DELETE
    CASCADE
);

CREATE TABLE delisting (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subject_id uuid NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  host text NOT NULL,
  repository text NOT NULL,
  host_repository_id text,
  reason text NOT NULL,
  delisted_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  relisted_at timestamp with time zone,
  kept jsonb,
  CONSTRAINT delisting_pkey PRIMARY KEY (id),
  CONSTRAINT delisting_check CHECK ((kept IS NULL) = (relisted_at IS NOT NULL)),
  CONSTRAINT delisting_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 500),
  CONSTRAINT delisting_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);
CREATE INDEX delisting_agent ON delisting USING btree (agent_id) WHERE relisted_at IS NULL;
CREATE INDEX delisting_host_repository_id ON delisting USING btree (host, host_repository_id) WHERE
  relisted_at IS NULL;
CREATE INDEX delisting_repository ON delisting USING btree (lower(host), lower(repository)) WHERE relisted_at
  IS NULL;
CREATE UNIQUE INDEX delisting_subject ON delisting USING btree (subject_id) WHERE relisted_at IS NULL;
CREATE TRIGGER announce_added AFTER INSERT ON delisting
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON delisting
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON delisting
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON delisting
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE TABLE delisted_name (
  label text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL,
  delisting_id bigint NOT NULL,
  CONSTRAINT delisted_name_pkey PRIMARY KEY (label, subject_type, subject_id),
  CONSTRAINT delisted_name_delisting_id_fkey FOREIGN KEY (delisting_id) REFERENCES delisting(id),
  CONSTRAINT delisted_name_subject_id_subject_type_fkey FOREIGN KEY (subject_id, subject_type) REFERENCES
    subject(id, type)
);
CREATE INDEX delisted_name_delisting ON delisted_name USING btree (delisting_id);
CREATE INDEX delisted_name_subject ON delisted_name USING btree (subject_id);
CREATE TRIGGER announce_added AFTER INSERT ON delisted_name
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON delisted_name
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON delisted_name
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON delisted_name
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE TABLE ended_run (
  account_id uuid NOT NULL,
  ledger_id uuid NOT NULL,
  key_id uuid,
  session_id uuid,
  attributed_key_id uuid,
  bucket_id bigint NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  attempt integer NOT NULL,
  operation text NOT NULL,
  subject_id uuid NOT NULL,
  source text NOT NULL,
  price_credits integer NOT NULL,
  amount integer NOT NULL,
  state text NOT NULL,
  lease_until timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  fail_code text,
  score_version timestamp with time zone,
  used_after bigint,
  signature_sha256 bytea,
  CONSTRAINT ended_run_pkey PRIMARY KEY (ledger_id, account_id),
  CONSTRAINT ended_run_check CHECK ((state = ANY (ARRAY['settled'::text, 'failed'::text])) AND ended_at IS NOT
    NULL AND (state = 'failed'::text) = (fail_code IS NOT NULL) AND (state = 'settled'::text) = (score_version
    IS NOT NULL) AND length(idempotency_key) >= 1 AND length(idempotency_key) <= 255 AND
    octet_length(fingerprint) = 32 AND attempt > 0 AND price_credits > 0 AND amount > 0 AND (key_id IS NULL)
    <> (session_id IS NULL) AND (attributed_key_id IS NULL OR session_id IS NOT NULL)),
  CONSTRAINT settled_before_lease CHECK (state <> 'settled'::text OR ended_at <= lease_until)
) WITH (fillfactor=100);
CREATE UNIQUE INDEX ended_run_attempt ON ended_run USING btree (account_id, idempotency_key, attempt);
CREATE INDEX ended_run_kind ON ended_run USING btree (hashtextextended((operation || ' '::text) || state,
  uuid_hash_extended(account_id, 0::bigint)), created_at);
CREATE TRIGGER ended_run_counted AFTER INSERT ON ended_run
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION count_ended_runs();
CREATE TRIGGER ended_run_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON ended_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_run_one_live AFTER INSERT ON ended_run
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION refuse_charge_beside_open_run();

CREATE TABLE host_asking (
  account_id uuid NOT NULL,
  host text NOT NULL,
  times integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT host_asking_pkey PRIMARY KEY (account_id, host),
  CONSTRAINT host_asking_host_check CHECK (host = lower(host)),
  CONSTRAINT host_asking_times_check CHECK (times > 0),
  CONSTRAINT host_asking_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

CREATE TABLE import_progress (
  files_hash text NOT NULL,
  step bigint NOT NULL,
  stage text NOT NULL,
  file_index integer NOT NULL,
  line bigint NOT NULL,
  byte_offset bigint NOT NULL,
  counts jsonb NOT NULL,
  rejects_path text NOT NULL,
  rejects_bytes bigint NOT NULL,
  updated_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT import_progress_pkey PRIMARY KEY (files_hash)
);

CREATE TABLE key_spending (
  key_id uuid NOT NULL,
  month timestamp with time zone NOT NULL,
  calls bigint NOT NULL,
  credits bigint NOT NULL,
  CONSTRAINT key_spending_pkey PRIMARY KEY (key_id, month),
  CONSTRAINT key_spending_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(id)
) WITH (fillfactor=50);

CREATE TABLE last_run (
  work text NOT NULL,
  ended_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  seconds double precision NOT NULL,
  finished boolean NOT NULL,
  listings bigint NOT NULL,
  CONSTRAINT last_run_pkey PRIMARY KEY (work),
  CONSTRAINT last_run_work_check CHECK (work = ANY (ARRAY['import'::text, 'refresh'::text]))
);

CREATE TABLE linked_account (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  host text NOT NULL,
  handle text NOT NULL,
  code text,
  code_expires_at timestamp with time zone,
  proved_at timestamp with time zone,
  proved_by text,
  evidence_url text,
  host_account_id text,
  host_account_created_at timestamp with time zone,
  checked_at timestamp with time zone,
  check_failed_at timestamp with time zone,
  check_due_at timestamp with time zone,
  lapsed_at timestamp with time zone,
  subject_id uuid,
  removed_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  code_place text,
  domain text,
  CONSTRAINT linked_account_pkey PRIMARY KEY (id),
  CONSTRAINT linked_account_check CHECK ((code IS NULL) = (code_expires_at IS NULL)),
  CONSTRAINT linked_account_check1 CHECK (code IS NOT NULL OR proved_at IS NOT NULL),
  CONSTRAINT linked_account_check2 CHECK ((proved_at IS NULL) = (proved_by IS NULL)),
  CONSTRAINT linked_account_check3 CHECK (proved_at IS NOT NULL OR checked_at IS NULL),
  CONSTRAINT linked_account_check4 CHECK (proved_at IS NOT NULL OR removed_at IS NULL),
  CONSTRAINT linked_account_check5 CHECK ((check_due_at IS NULL) = (proved_at IS NULL OR removed_at IS NOT
    NULL)),
  CONSTRAINT linked_account_code_place_check CHECK (code_place = ANY (ARRAY['profile'::text,
    'repository'::text, 'package'::text, 'domain'::text, 'dns_record'::text])),
  CONSTRAINT linked_account_evidence_url_check CHECK (evidence_url ~ '^https?://'::text),
  CONSTRAINT linked_account_handle_check CHECK (length(handle) >= 1 AND length(handle) <= 200),
  CONSTRAINT linked_account_host_check CHECK (host = lower(host)),
  CONSTRAINT linked_account_kind_check CHECK (kind = ANY (ARRAY['repo_host'::text, 'node_packages'::text,
    'python_packages'::text, 'professional_network'::text, 'social'::text, 'messaging'::text])),
  CONSTRAINT linked_account_proved_by_check CHECK (proved_by = ANY (ARRAY['code'::text, 'operator'::text,
    'identity_provider'::text])),
  CONSTRAINT linked_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT linked_account_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);
CREATE INDEX linked_account_account ON linked_account USING btree (account_id);
CREATE INDEX linked_account_check_due ON linked_account USING btree (check_due_at) WHERE check_due_at IS NOT
  NULL;
CREATE INDEX linked_account_not_lapsed ON linked_account USING btree (checked_at) WHERE proved_at IS NOT NULL
  AND removed_at IS NULL AND lapsed_at IS NULL;
CREATE UNIQUE INDEX linked_account_one_handle ON linked_account USING btree (kind, host, lower(handle)) WHERE
  proved_at IS NOT NULL AND removed_at IS NULL AND checked_at IS NOT NULL;
CREATE UNIQUE INDEX linked_account_one_owner ON linked_account USING btree (kind, host, host_account_id)
  WHERE proved_at IS NOT NULL AND removed_at IS NULL;
CREATE UNIQUE INDEX linked_account_pending ON linked_account USING btree (account_id, kind, host,
  lower(handle)) WHERE proved_at IS NULL;
CREATE TRIGGER announce_added AFTER INSERT ON linked_account
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON linked_account
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON linked_account
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON linked_account
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE TABLE listed_name (
  of text NOT NULL,
  key text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  weight bigint NOT NULL,
  words tsvector,
  CONSTRAINT listed_name_pkey PRIMARY KEY (subject_id, of, key),
  CONSTRAINT listed_name_of_check CHECK (of = ANY (ARRAY['listing'::text, 'creator'::text, 'artifact'::text]))
);
CREATE INDEX listed_name_near ON listed_name USING btree (of, key, weight DESC, subject_id);
CREATE INDEX listed_name_weight ON listed_name USING btree (of, weight DESC, key, subject_id);
CREATE INDEX listed_name_words ON listed_name USING gin (words) WITH (fastupdate=off) WHERE words IS NOT NULL;

CREATE TABLE listing_claim (
  id uuid NOT NULL,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  host text NOT NULL,
  handle text NOT NULL,
  host_account_id text,
  reason text NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  decided_at timestamp with time zone,
  decision text,
  decided_by text,
  CONSTRAINT listing_claim_pkey PRIMARY KEY (id),
  CONSTRAINT listing_claim_check CHECK ((decided_at IS NULL) = (decision IS NULL)),
  CONSTRAINT listing_claim_check1 CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT listing_claim_decided_by_check CHECK (decided_by = ANY (ARRAY['reading'::text, 'operator'::text])),
  CONSTRAINT listing_claim_decision_check CHECK (decision = ANY (ARRAY['given'::text, 'refused'::text])),
  CONSTRAINT listing_claim_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT listing_claim_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
);
CREATE INDEX listing_claim_account ON listing_claim USING btree (account_id);
CREATE UNIQUE INDEX listing_claim_open ON listing_claim USING btree (listing_id, account_id) WHERE decided_at
  IS NULL;
CREATE INDEX listing_claim_refused ON listing_claim USING btree (listing_id, account_id) WHERE decision =
  'refused'::text;

CREATE TABLE listing_creator_history (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  listing_id uuid NOT NULL,
  creator_id uuid NOT NULL,
  until timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT listing_creator_history_pkey PRIMARY KEY (id),
  CONSTRAINT listing_creator_history_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator(subject_id),
  CONSTRAINT listing_creator_history_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id)
);
CREATE INDEX listing_creator_history_listing ON listing_creator_history USING btree (listing_id);
CREATE TRIGGER announce_added AFTER INSERT ON listing_creator_history
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON listing_creator_history
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON listing_creator_history
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON listing_creator_history
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE TABLE listing_former_words (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  listing_id uuid NOT NULL,
  registered_by uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  tags text[] NOT NULL,
  until timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT listing_former_words_pkey PRIMARY KEY (id),
  CONSTRAINT listing_former_words_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id) ON
    DELETE CASCADE,
  CONSTRAINT listing_former_words_registered_by_fkey FOREIGN KEY (registered_by) REFERENCES account(id)
);
CREATE INDEX listing_former_words_listing ON listing_former_words USING btree (listing_id);

CREATE TABLE listing_order (
  subject_id uuid NOT NULL,
  listed_at timestamp with time zone NOT NULL,
  last_commit_at timestamp with time zone,
  stars bigint,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text DEFAULT 'low'::text NOT NULL,
  category text NOT NULL,
  kind text NOT NULL,
  tags text[] NOT NULL,
  CONSTRAINT listing_order_pkey PRIMARY KEY (subject_id),
  CONSTRAINT listing_order_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
);
CREATE INDEX listing_order_newest ON listing_order USING btree (listed_at DESC, agent_id);
CREATE INDEX listing_order_newest_filtered ON listing_order USING btree (category, tier, type, kind,
  verified, listed_at DESC, agent_id);
CREATE INDEX listing_order_stars ON listing_order USING btree (stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_stars_filtered ON listing_order USING btree (category, tier, type, kind, verified,
  stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated ON listing_order USING btree (last_commit_at DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated_filtered ON listing_order USING btree (category, tier, type, kind,
  verified, last_commit_at DESC NULLS LAST, agent_id);
CREATE TRIGGER announce_ordered AFTER UPDATE OF stars, last_commit_at ON listing_order
  FOR EACH ROW
  WHEN (old.stars IS DISTINCT FROM new.stars OR old.last_commit_at IS DISTINCT FROM new.last_commit_at)
  EXECUTE FUNCTION announce_ranking();

CREATE TABLE listing_rank (
  subject_id uuid NOT NULL,
  score_version timestamp with time zone,
  trust double precision,
  confidence double precision,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text DEFAULT 'low'::text NOT NULL,
  category text NOT NULL,
  verdict text,
  reasons text[],
  kind text NOT NULL,
  CONSTRAINT listing_rank_pkey PRIMARY KEY (subject_id),
  CONSTRAINT listing_rank_check CHECK ((trust IS NULL) = (score_version IS NULL)),
  CONSTRAINT listing_rank_check1 CHECK ((trust IS NULL) = (confidence IS NULL)),
  CONSTRAINT listing_rank_check2 CHECK ((verdict IS NULL) = (reasons IS NULL)),
  CONSTRAINT listing_rank_check3 CHECK (verdict IS NULL OR trust IS NOT NULL),
  CONSTRAINT listing_rank_tier_check CHECK (tier = ANY (ARRAY['high'::text, 'medium'::text, 'low'::text])),
  CONSTRAINT listing_rank_verdict_check CHECK (verdict = ANY (ARRAY['verified'::text, 'well_evidenced'::text,
    'little_evidence'::text, 'warning'::text])),
  CONSTRAINT listing_rank_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
) WITH (fillfactor=80);
CREATE INDEX listing_rank_filtered ON listing_rank USING btree (category, tier, type, kind, verified, trust
  DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_rank_score ON listing_rank USING btree (trust DESC NULLS LAST, confidence DESC NULLS
  LAST, agent_id);
CREATE INDEX listing_rank_verdict ON listing_rank USING btree (verdict, trust DESC NULLS LAST, confidence
  DESC NULLS LAST, agent_id);
CREATE TRIGGER announce_added AFTER INSERT ON listing_rank
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON listing_rank
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier, verdict, reasons ON listing_rank
  FOR EACH ROW
  WHEN ((old.trust IS DISTINCT FROM new.trust OR old.confidence IS DISTINCT FROM new.confidence OR old.tier IS
    DISTINCT FROM new.tier OR old.verdict IS DISTINCT FROM new.verdict OR old.reasons IS DISTINCT FROM
    new.reasons) AND NOT announced_everything())
  EXECUTE FUNCTION announce_ranking();
CREATE TRIGGER announce_removed AFTER DELETE ON listing_rank
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_judged AFTER UPDATE OF verdict, reasons ON listing_rank
  FOR EACH ROW
  WHEN (old.verdict IS NOT NULL AND (old.verdict IS DISTINCT FROM new.verdict OR old.reasons IS DISTINCT FROM
    new.reasons))
  EXECUTE FUNCTION record_row('verdict');
CREATE TRIGGER listing_rank_carried AFTER UPDATE OF tier ON listing_rank
  FOR EACH ROW WHEN (old.tier <> new.tier) EXECUTE FUNCTION carry_changed_tier();

CREATE TABLE listing_registry_words (
  listing_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  tags text[] NOT NULL,
  source text NOT NULL,
  registered_by uuid,
  creator_id uuid,
  claims_since timestamp with time zone NOT NULL,
  CONSTRAINT listing_registry_words_pkey PRIMARY KEY (listing_id),
  CONSTRAINT listing_registry_words_check CHECK ((registered_by IS NULL) = (creator_id IS NULL)),
  CONSTRAINT listing_registry_words_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creator(subject_id),
  CONSTRAINT listing_registry_words_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id) ON
    DELETE CASCADE,
  CONSTRAINT listing_registry_words_registered_by_fkey FOREIGN KEY (registered_by) REFERENCES account(id)
);

CREATE TABLE listing_total (
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL,
  category text NOT NULL,
  difference bigint NOT NULL,
  kind text NOT NULL,
  license text NOT NULL
);

CREATE TABLE listing_words (
  subject_id uuid NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text DEFAULT 'low'::text NOT NULL,
  category text NOT NULL,
  sort_name text NOT NULL,
  words tsvector NOT NULL,
  popularity smallint DEFAULT 0 NOT NULL,
  form smallint DEFAULT 2 NOT NULL,
  kind text NOT NULL,
  license text DEFAULT ''::text NOT NULL,
  CONSTRAINT listing_words_pkey PRIMARY KEY (subject_id),
  CONSTRAINT listing_words_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
);
CREATE INDEX listing_words_earlier ON listing_words USING btree (subject_id) WHERE form < 2;
CREATE INDEX listing_words_filtered ON listing_words USING btree (category, tier, type, kind, verified,
  sort_name, agent_id);
CREATE INDEX listing_words_name ON listing_words USING btree (sort_name, agent_id);
CREATE INDEX listing_words_popular ON listing_words USING btree (popularity DESC, agent_id);
CREATE INDEX listing_words_words ON listing_words USING gin (words) WITH (fastupdate='on',
  gin_pending_list_limit='512');
CREATE TRIGGER announce_added AFTER INSERT ON listing_words
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE OF words ON listing_words
  FOR EACH ROW WHEN (old.words IS DISTINCT FROM new.words) EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON listing_words
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_marked AFTER UPDATE OF license ON listing_words
  FOR EACH ROW WHEN (old.license <> new.license) EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON listing_words
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER listing_words_added AFTER INSERT ON listing_words
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_words_changed AFTER UPDATE OF type, verified, tier, category, kind, license ON
  listing_words
  FOR EACH ROW
  WHEN (old.type IS DISTINCT FROM new.type OR old.verified IS DISTINCT FROM new.verified OR old.tier IS
    DISTINCT FROM new.tier OR old.category IS DISTINCT FROM new.category OR old.kind IS DISTINCT FROM new.kind
    OR old.license IS DISTINCT FROM new.license)
  EXECUTE FUNCTION count_changed_listing();
CREATE TRIGGER listing_words_removed AFTER DELETE ON listing_words
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();

CREATE TABLE mcp_registry_entry (
  server_name text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  status text NOT NULL,
  is_latest boolean NOT NULL,
  published_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  host text,
  repository text,
  subfolder text,
  host_repository_id text,
  packages jsonb NOT NULL,
  remote_hosts text[] NOT NULL,
  source text NOT NULL,
  url text NOT NULL,
  license text NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  secrets text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT mcp_registry_entry_pkey PRIMARY KEY (server_name, version),
  CONSTRAINT mcp_registry_entry_check CHECK ((host IS NULL) = (repository IS NULL)),
  CONSTRAINT mcp_registry_entry_status_check CHECK (status = ANY (ARRAY['active'::text, 'deprecated'::text,
    'deleted'::text]))
);
CREATE INDEX mcp_registry_entry_repository ON mcp_registry_entry USING btree (lower(host), lower(repository));
CREATE TRIGGER announce_added AFTER INSERT ON mcp_registry_entry
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON mcp_registry_entry
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON mcp_registry_entry
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON mcp_registry_entry
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE TABLE observed_fact (
  subject_id uuid NOT NULL,
  fact text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  url text NOT NULL,
  license text,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT observed_fact_pkey PRIMARY KEY (subject_id, fact, source),
  CONSTRAINT observed_fact_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
);
CREATE INDEX observed_fact_sound_since ON observed_fact USING btree ((value ->> 'soundSince'::text)) WHERE
  fact = 'package_standing'::text AND (value ->> 'soundSince'::text) IS NOT NULL;
CREATE INDEX observed_fact_source ON observed_fact USING btree (fact, source);
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON observed_fact
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_observed AFTER INSERT OR UPDATE ON observed_fact
  FOR EACH ROW EXECUTE FUNCTION announce_listing();
CREATE TRIGGER announce_removed AFTER DELETE ON observed_fact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON observed_fact
  FOR EACH ROW WHEN (new.fact = 'package_standing'::text) EXECUTE FUNCTION record_row('advisory');
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON observed_fact
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON observed_fact
  FOR EACH ROW WHEN (old.fact = 'package_standing'::text) EXECUTE FUNCTION record_row('advisory');
CREATE TRIGGER change_updated AFTER UPDATE ON observed_fact
  FOR EACH ROW
  WHEN (new.fact = 'package_standing'::text AND old.value IS DISTINCT FROM new.value)
  EXECUTE FUNCTION record_row('advisory');

CREATE TABLE open_run (
  account_id uuid NOT NULL,
  ledger_id uuid NOT NULL,
  key_id uuid,
  session_id uuid,
  attributed_key_id uuid,
  bucket_id bigint NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  attempt integer NOT NULL,
  operation text NOT NULL,
  subject_id uuid NOT NULL,
  source text NOT NULL,
  price_credits integer NOT NULL,
  amount integer NOT NULL,
  lease_until timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT open_run_pkey PRIMARY KEY (ledger_id, account_id),
  CONSTRAINT open_run_check CHECK (length(idempotency_key) >= 1 AND length(idempotency_key) <= 255 AND
    octet_length(fingerprint) = 32 AND attempt > 0 AND price_credits > 0 AND amount > 0 AND (key_id IS NULL)
    <> (session_id IS NULL) AND (attributed_key_id IS NULL OR session_id IS NOT NULL))
) WITH (vacuum_truncate=false, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_scale_factor=0,
   autovacuum_vacuum_insert_threshold=-1, autovacuum_analyze_threshold=2000000000);
CREATE INDEX open_run_due ON open_run USING btree (lease_until);
CREATE INDEX open_run_of_bucket ON open_run USING btree (bucket_id, lease_until);
CREATE UNIQUE INDEX open_run_one_of_key ON open_run USING btree (idempotency_key, account_id);
CREATE TRIGGER open_run_counted AFTER INSERT ON open_run
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION count_opened_runs();
CREATE TRIGGER open_run_one_live AFTER INSERT ON open_run
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION refuse_second_live_run();
CREATE TRIGGER open_run_unchanged BEFORE UPDATE OR TRUNCATE ON open_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE package_reading (
  ecosystem text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  version text,
  released_at timestamp with time zone,
  host text,
  repository text,
  provenance text,
  deprecated boolean,
  monthly_downloads bigint,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  default_version text,
  version_times jsonb,
  CONSTRAINT package_reading_pkey PRIMARY KEY (ecosystem, name),
  CONSTRAINT package_reading_ecosystem_check CHECK (ecosystem = ANY (ARRAY['npm'::text, 'pypi'::text])),
  CONSTRAINT package_reading_outcome_check CHECK (outcome = ANY (ARRAY['read'::text, 'missing'::text])),
  CONSTRAINT package_reading_provenance_check CHECK (provenance = ANY (ARRAY['attested'::text, 'none'::text,
    'lost'::text])),
  CONSTRAINT package_reading_repository_check CHECK ((host IS NULL) = (repository IS NULL))
);

CREATE TABLE platform_account (
  subject_id uuid NOT NULL,
  registry_row_id uuid NOT NULL,
  type text NOT NULL,
  kind text NOT NULL,
  platform text NOT NULL,
  handle text NOT NULL,
  name text,
  url text,
  former_handles text[] DEFAULT '{}'::text[] NOT NULL,
  owner_handle text,
  owner_id uuid,
  platform_account_id text,
  account_created_at timestamp with time zone,
  verified_mark boolean,
  audience bigint,
  audience_day_growth double precision,
  engagement double precision,
  last_post_at timestamp with time zone,
  cross_link text,
  scam_flag boolean,
  observed_at timestamp with time zone,
  source text NOT NULL,
  imported jsonb,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT platform_account_pkey PRIMARY KEY (subject_id),
  CONSTRAINT platform_account_registry_row_id_key UNIQUE (registry_row_id),
  CONSTRAINT platform_account_audience_check CHECK (audience >= 0),
  CONSTRAINT platform_account_cross_link_check CHECK (cross_link = ANY (ARRAY['both'::text, 'one'::text,
    'none'::text])),
  CONSTRAINT platform_account_engagement_check CHECK (engagement >= 0::double precision),
  CONSTRAINT platform_account_kind_check CHECK (kind = ANY (ARRAY['account'::text, 'channel'::text,
    'bot'::text])),
  CONSTRAINT platform_account_platform_check CHECK (platform = lower(platform)),
  CONSTRAINT platform_account_type_check CHECK (type = ANY (ARRAY['social_account'::text,
    'messaging_account'::text])),
  CONSTRAINT platform_account_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES creator(subject_id),
  CONSTRAINT platform_account_subject_id_type_fkey FOREIGN KEY (subject_id, type) REFERENCES subject(id, type)
);
CREATE UNIQUE INDEX platform_account_handle ON platform_account USING btree (type, platform, lower(handle));
CREATE INDEX platform_account_owner ON platform_account USING btree (owner_id) WHERE owner_id IS NOT NULL;
CREATE UNIQUE INDEX platform_account_platform_id ON platform_account USING btree (platform,
  platform_account_id);
CREATE TRIGGER announce_added AFTER INSERT ON platform_account
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON platform_account
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON platform_account
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON platform_account
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON platform_account
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON platform_account
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON platform_account
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_updated AFTER UPDATE ON platform_account
  FOR EACH ROW
  WHEN (old.platform IS DISTINCT FROM new.platform OR old.handle IS DISTINCT FROM new.handle)
  EXECUTE FUNCTION record_row('listing');

CREATE TABLE primary_timeline (
  cluster bigint NOT NULL,
  timeline integer NOT NULL,
  CONSTRAINT primary_timeline_pkey PRIMARY KEY (cluster)
);

CREATE TABLE recompute_run (
  scope text NOT NULL,
  started_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT recompute_run_pkey PRIMARY KEY (scope)
);

CREATE TABLE registration_key (
  account_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  listing_id uuid NOT NULL,
  listing_type text NOT NULL,
  agent_id text NOT NULL,
  public_path text NOT NULL,
  is_new boolean NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT registration_key_pkey PRIMARY KEY (account_id, idempotency_key),
  CONSTRAINT registration_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

CREATE TABLE relation (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  type text NOT NULL,
  from_repository text NOT NULL,
  from_path text,
  to_repository text NOT NULL,
  to_path text,
  from_listing_id uuid,
  to_listing_id uuid,
  directed boolean NOT NULL,
  stated boolean NOT NULL,
  resolution text,
  evidence text,
  source text NOT NULL,
  imported jsonb,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT relation_pkey PRIMARY KEY (id),
  CONSTRAINT relation_check CHECK (from_listing_id IS NOT NULL OR to_listing_id IS NOT NULL),
  CONSTRAINT relation_from_listing_id_fkey FOREIGN KEY (from_listing_id) REFERENCES listing(subject_id),
  CONSTRAINT relation_to_listing_id_fkey FOREIGN KEY (to_listing_id) REFERENCES listing(subject_id)
);
CREATE INDEX relation_from ON relation USING btree (from_listing_id, from_path);
CREATE INDEX relation_missing_from ON relation USING btree (lower(from_repository)) WHERE from_listing_id IS
  NULL;
CREATE INDEX relation_missing_to ON relation USING btree (lower(to_repository), to_path) WHERE to_listing_id
  IS NULL;
CREATE UNIQUE INDEX relation_statement ON relation USING btree (type, lower(from_repository),
  COALESCE(from_path, ''::text), lower(to_repository), COALESCE(to_path, ''::text), source);
CREATE INDEX relation_to ON relation USING btree (to_listing_id, to_path);
CREATE TRIGGER announce_added AFTER INSERT ON relation
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON relation
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON relation
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON relation
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER change_added AFTER INSERT ON relation
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON relation
  FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_removed AFTER DELETE ON relation
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_updated_from AFTER UPDATE ON relation
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_updated_to AFTER UPDATE ON relation
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();

CREATE TABLE repository_refresh (
  listing_id uuid NOT NULL,
  etag text,
  last_modified text,
  checked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  next_check_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  lease_id uuid,
  leased_until timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  outcome text,
  CONSTRAINT repository_refresh_pkey PRIMARY KEY (listing_id),
  CONSTRAINT repository_refresh_check CHECK ((lease_id IS NULL) = (leased_until IS NULL)),
  CONSTRAINT repository_refresh_check1 CHECK ((checked_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT repository_refresh_failures_check CHECK (failures >= 0),
  CONSTRAINT repository_refresh_outcome_check CHECK (outcome = ANY (ARRAY['read'::text, 'unchanged'::text,
    'renamed'::text, 'replaced'::text, 'duplicate'::text, 'gone'::text, 'failed'::text])),
  CONSTRAINT repository_refresh_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id) ON
    DELETE CASCADE
);
CREATE INDEX repository_refresh_checked ON repository_refresh USING btree (checked_at);
CREATE INDEX repository_refresh_due ON repository_refresh USING btree (next_check_at, listing_id);

CREATE TABLE running_server (
  id uuid NOT NULL,
  public_url text NOT NULL,
  seen_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT running_server_pkey PRIMARY KEY (id)
);

CREATE TABLE score_archive (
  subject_id uuid NOT NULL,
  part integer NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT score_archive_pkey PRIMARY KEY (subject_id, part)
) WITH (toast_tuple_target=128);
CREATE TRIGGER score_archive_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON score_archive
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE score_due (
  subject_id uuid NOT NULL,
  own boolean NOT NULL,
  noted_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT score_due_pkey PRIMARY KEY (subject_id),
  CONSTRAINT score_due_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id)
);

CREATE TABLE score_evidence (
  subject_id uuid NOT NULL,
  content uuid NOT NULL,
  subject_type text NOT NULL,
  trust double precision NOT NULL,
  confidence double precision NOT NULL,
  lower_bound double precision NOT NULL,
  tier text NOT NULL,
  status text NOT NULL,
  own_trust double precision NOT NULL,
  own_confidence double precision NOT NULL,
  coverage double precision,
  source text NOT NULL,
  method_version text,
  freshness timestamp with time zone,
  inputs_hash text,
  inputs jsonb DEFAULT '{}'::jsonb NOT NULL,
  contributions jsonb DEFAULT '[]'::jsonb NOT NULL,
  caps jsonb DEFAULT '[]'::jsonb NOT NULL,
  archived_in integer,
  verdict text,
  reasons text[],
  CONSTRAINT score_evidence_pkey PRIMARY KEY (subject_id, content),
  CONSTRAINT score_evidence_check CHECK (trust > 0::double precision OR confidence > 0::double precision),
  CONSTRAINT score_evidence_confidence_check CHECK (confidence >= 0::double precision AND confidence <=
    100::double precision),
  CONSTRAINT score_evidence_lower_bound_check CHECK (lower_bound >= 0::double precision AND lower_bound <=
    100::double precision),
  CONSTRAINT score_evidence_own_confidence_check CHECK (own_confidence >= 0::double precision AND
    own_confidence <= 100::double precision),
  CONSTRAINT score_evidence_own_trust_check CHECK (own_trust >= 0::double precision AND own_trust <=
    100::double precision),
  CONSTRAINT score_evidence_status_check CHECK (status = ANY (ARRAY['complete'::text, 'partial'::text])),
  CONSTRAINT score_evidence_tier_check CHECK (tier = ANY (ARRAY['high'::text, 'medium'::text, 'low'::text])),
  CONSTRAINT score_evidence_trust_check CHECK (trust >= 0::double precision AND trust <= 100::double precision),
  CONSTRAINT score_evidence_subject_id_subject_type_fkey FOREIGN KEY (subject_id, subject_type) REFERENCES
    subject(id, type)
);
CREATE TRIGGER score_evidence_append_only BEFORE DELETE OR TRUNCATE ON score_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER score_evidence_kept AFTER UPDATE ON score_evidence
  REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION refuse_unarchived();

CREATE TABLE score_refresh (
  subject_id uuid NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  CONSTRAINT score_refresh_pkey PRIMARY KEY (subject_id),
  CONSTRAINT score_refresh_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subject(id) ON DELETE CASCADE
);

CREATE TABLE score_version (
  subject_id uuid NOT NULL,
  version timestamp with time zone NOT NULL,
  content uuid NOT NULL,
  ledger_id uuid,
  fresh_at timestamp with time zone,
  CONSTRAINT score_version_pkey PRIMARY KEY (subject_id, version)
);
CREATE TRIGGER score_version_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON score_version
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE search_word (
  word text COLLATE "C" NOT NULL,
  stem text COLLATE "C" NOT NULL,
  listings integer NOT NULL,
  named integer NOT NULL
);
CREATE INDEX search_word_near ON search_word USING gin (word gin_trgm_ops) WHERE named > 0;
CREATE INDEX search_word_word ON search_word USING btree (word);

CREATE TABLE sign_in_attempt (
  token_hash bytea NOT NULL,
  provider text NOT NULL,
  next_path text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sign_in_attempt_next_path_check CHECK (next_path ~ '^/'::text AND length(next_path) <= 2000),
  CONSTRAINT sign_in_attempt_provider_check CHECK (provider = ANY (ARRAY['oidc'::text, 'github'::text])),
  CONSTRAINT sign_in_attempt_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX sign_in_attempt_expires ON sign_in_attempt USING btree (expires_at);

CREATE TABLE sign_in_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT sign_in_identity_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT sign_in_identity_created_by_check CHECK (created_by = ANY (ARRAY['operator'::text,
    'sign_up'::text])),
  CONSTRAINT sign_in_identity_issuer_check CHECK (length(issuer) >= 1 AND length(issuer) <= 500),
  CONSTRAINT sign_in_identity_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 255),
  CONSTRAINT sign_in_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX sign_in_identity_account ON sign_in_identity USING btree (account_id);

CREATE TABLE sign_in_link (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  redeemed_at timestamp with time zone,
  CONSTRAINT sign_in_link_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_link_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sign_in_link_token_hash_check CHECK (octet_length(token_hash) = 32),
  CONSTRAINT sign_in_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX sign_in_link_account ON sign_in_link USING btree (account_id);

CREATE TABLE source_reading (
  source text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  listing_id uuid,
  next_check_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  checked_at timestamp with time zone,
  outcome text,
  failures integer DEFAULT 0 NOT NULL,
  requests integer DEFAULT 0 NOT NULL,
  state jsonb DEFAULT '{}'::jsonb NOT NULL,
  lease_id uuid,
  leased_until timestamp with time zone,
  CONSTRAINT source_reading_pkey PRIMARY KEY (source, item),
  CONSTRAINT source_reading_checked_check CHECK ((checked_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT source_reading_counts_check CHECK (failures >= 0 AND requests >= 0),
  CONSTRAINT source_reading_lease_check CHECK ((lease_id IS NULL) = (leased_until IS NULL)),
  CONSTRAINT source_reading_outcome_check CHECK (outcome = ANY (ARRAY['read'::text, 'unchanged'::text,
    'gone'::text, 'failed'::text])),
  CONSTRAINT source_reading_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(subject_id) ON DELETE
    CASCADE
);
CREATE INDEX source_reading_checked ON source_reading USING btree (checked_at);
CREATE INDEX source_reading_due ON source_reading USING btree (source, next_check_at, item);
CREATE INDEX source_reading_listing ON source_reading USING btree (listing_id);

CREATE TABLE standing_look (
  looked_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);
CREATE UNIQUE INDEX standing_look_once ON standing_look USING btree ((true));

CREATE TABLE subject_alias (
  label text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL,
  CONSTRAINT subject_alias_pkey PRIMARY KEY (label, subject_type, subject_id),
  CONSTRAINT subject_alias_kind_check CHECK (kind = ANY (ARRAY['identity'::text, 'former'::text,
    'name'::text])),
  CONSTRAINT subject_alias_label_check CHECK (length(label) >= 1 AND length(label) <= 1024),
  CONSTRAINT subject_alias_subject_id_subject_type_fkey FOREIGN KEY (subject_id, subject_type) REFERENCES
    subject(id, type)
);
CREATE INDEX subject_alias_subject ON subject_alias USING btree (subject_id);
CREATE TRIGGER announce_added AFTER INSERT ON subject_alias
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON subject_alias
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON subject_alias
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON subject_alias
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

CREATE VIEW ledger_entry AS
 SELECT bucket_entry.account_id,
    bucket_entry.bucket_id,
    NULL::uuid AS ledger_id,
    bucket_entry.kind,
    bucket_entry.d_total,
    bucket_entry.d_used,
    bucket_entry.d_held,
    bucket_entry.note,
    bucket_entry.at
   FROM bucket_entry
UNION ALL
 SELECT open_run.account_id,
    open_run.bucket_id,
    open_run.ledger_id,
    'hold'::text AS kind,
    0 AS d_total,
    0 AS d_used,
    open_run.amount AS d_held,
    NULL::text AS note,
    open_run.created_at AS at
   FROM open_run
UNION ALL
 SELECT r.account_id,
    r.bucket_id,
    r.ledger_id,
    'hold'::text AS kind,
    0 AS d_total,
    0 AS d_used,
    r.amount AS d_held,
    NULL::text AS note,
    r.created_at AS at
   FROM ended_run r
  WHERE NOT (EXISTS ( SELECT
           FROM credit_bucket b
          WHERE b.account_id = r.account_id AND b.id = r.bucket_id AND b.archived_at IS NOT NULL))
UNION ALL
 SELECT r.account_id,
    r.bucket_id,
    r.ledger_id,
        CASE
            WHEN r.state = 'settled'::text THEN 'settle'::text
            WHEN r.fail_code = 'lease_expired'::text THEN 'expire'::text
            ELSE 'reverse'::text
        END AS kind,
    0 AS d_total,
        CASE r.state
            WHEN 'settled'::text THEN r.amount
            ELSE 0
        END AS d_used,
    - r.amount AS d_held,
    NULL::text AS note,
    r.ended_at AS at
   FROM ended_run r
  WHERE NOT (EXISTS ( SELECT
           FROM credit_bucket b
          WHERE b.account_id = r.account_id AND b.id = r.bucket_id AND b.archived_at IS NOT NULL));

CREATE VIEW proved_account AS
 SELECT account_id,
    kind,
    host,
    handle,
    host_account_id,
    host_account_created_at,
    checked_at
   FROM linked_account
  WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at > (ledger_now() - '60 days'::interval);

CREATE VIEW score AS
 SELECT v.subject_id,
    v.version,
    e.subject_type,
    e.trust,
    e.confidence,
    e.lower_bound,
    e.tier,
    e.status,
    e.own_trust,
    e.own_confidence,
    e.coverage,
    e.source,
    e.method_version,
    COALESCE(v.fresh_at, e.freshness) AS freshness,
    e.inputs_hash,
        CASE
            WHEN e.archived_in IS NULL THEN e.inputs
            ELSE (a.details -> e.content::text) -> 'inputs'::text
        END AS inputs,
        CASE
            WHEN e.archived_in IS NULL THEN e.contributions
            ELSE (a.details -> e.content::text) -> 'contributions'::text
        END AS contributions,
        CASE
            WHEN e.archived_in IS NULL THEN e.caps
            ELSE (a.details -> e.content::text) -> 'caps'::text
        END AS caps,
    v.ledger_id
   FROM score_version v
     JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
     LEFT JOIN score_archive a ON a.subject_id = e.subject_id AND a.part = e.archived_in;

CREATE VIEW usage_run AS
 SELECT open_run.account_id,
    open_run.ledger_id,
    open_run.key_id,
    open_run.session_id,
    open_run.attributed_key_id,
    open_run.bucket_id,
    open_run.idempotency_key,
    open_run.fingerprint,
    open_run.attempt,
    open_run.operation,
    open_run.subject_id,
    open_run.source,
    open_run.price_credits,
    open_run.amount,
    'reserved'::text AS state,
    open_run.lease_until,
    open_run.created_at,
    NULL::timestamp with time zone AS ended_at,
    NULL::text AS fail_code,
    NULL::timestamp with time zone AS score_version,
    NULL::bigint AS used_after,
    NULL::bytea AS signature_sha256
   FROM open_run
UNION ALL
 SELECT ended_run.account_id,
    ended_run.ledger_id,
    ended_run.key_id,
    ended_run.session_id,
    ended_run.attributed_key_id,
    ended_run.bucket_id,
    ended_run.idempotency_key,
    ended_run.fingerprint,
    ended_run.attempt,
    ended_run.operation,
    ended_run.subject_id,
    ended_run.source,
    ended_run.price_credits,
    ended_run.amount,
    ended_run.state,
    ended_run.lease_until,
    ended_run.created_at,
    ended_run.ended_at,
    ended_run.fail_code,
    ended_run.score_version,
    ended_run.used_after,
    ended_run.signature_sha256
   FROM ended_run;
