-- Partitions the tables that grow with every call by hash: those of the ledger by account, those of scores by subject. Use it
-- for a database with more than a few hundred million runs, so that each partition is vacuumed, reindexed and cached separately.
--
--   psql "$DATABASE_URL" -c "SET partition.parts = 8" -f ops/partition.sql
--
-- Stop the servers first: the script copies rows, and writes in the meantime would be lost. It runs in one transaction; make a
-- backup before. The names of tables, columns and views and the statements of the server stay the same. Needs PostgreSQL 15 or
-- newer.
BEGIN;
DO $$
DECLARE
  parts int := coalesce(nullif(current_setting('partition.parts', true), ''), '8')::int;
  hot CONSTANT text[][] := ARRAY[
    ['credit_bucket', 'account_id'], ['bucket_entry', 'account_id'], ['open_run', 'account_id'],
    ['ended_run', 'account_id'], ['score_version', 'subject_id'], ['score_evidence', 'subject_id'], ['score_archive', 'subject_id']];
  tables regclass[];
  each record;
  one text;
  later text[] := '{}';
  found int;
BEGIN
  IF parts < 2 THEN RAISE EXCEPTION 'partition.parts is %: allowed is 2 or more', parts; END IF;
  SELECT array_agg(hot[i][1]::regclass) INTO tables FROM generate_subscripts(hot, 1) i;
  IF EXISTS (SELECT 1 FROM pg_class WHERE oid = ANY (tables) AND relkind = 'p') THEN
    RAISE EXCEPTION 'These tables are partitioned already. To change their number, restore an export into a new database.';
  END IF;

  -- Read the definitions of the dependent views, foreign keys and triggers from the catalogs. `later` recreates them at the end.
  FOR each IN
    SELECT DISTINCT c.oid, c.oid::regclass AS name, pg_get_viewdef(c.oid) AS definition
    FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = r.ev_class
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = ANY (tables) ORDER BY 1 DESC
  LOOP
    later := format('CREATE VIEW %s AS %s', each.name, each.definition) || later;
    EXECUTE format('DROP VIEW %s', each.name);
  END LOOP;
  FOR each IN
    SELECT conrelid::regclass AS name, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND (conrelid = ANY (tables) OR confrelid = ANY (tables))
  LOOP
    later := later || format('ALTER TABLE %s ADD CONSTRAINT %I %s', each.name, each.conname, each.definition);
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname);
  END LOOP;
  FOR each IN
    SELECT pg_get_triggerdef(t.oid) AS definition, c.relname, t.tgtype & 56 <> 0 AS is_guard  -- of UPDATE, DELETE, TRUNCATE
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.oid = ANY (tables) AND NOT t.tgisinternal
  LOOP
    later := later || each.definition;
    -- Create triggers that forbid changes on each partition too: a statement trigger fires only for the table that is named.
    FOR part IN 0 .. parts - 1 LOOP
      EXIT WHEN NOT each.is_guard;
      later := later || regexp_replace(each.definition, ' ON (\S+)\.' || each.relname || ' ',
        format(' ON \1.%I ', each.relname || '_' || part));
    END LOOP;
  END LOOP;

  FOR i IN 1 .. array_length(hot, 1) LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', hot[i][1], hot[i][1] || '_whole');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY HASH (%I)', hot[i][1], hot[i][1] || '_whole', hot[i][2]);
    FOR part IN 0 .. parts - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s) %s',
        hot[i][1] || '_' || part, hot[i][1], parts, part,
        (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = tables[i]));
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO one FROM pg_attribute
    WHERE attrelid = tables[i] AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
    EXECUTE format('INSERT INTO %I (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM %s', hot[i][1], one, one, tables[i]);
    -- Continue each identity sequence at its current value.
    FOR each IN SELECT attname, pg_get_serial_sequence(tables[i]::text, attname) AS counter FROM pg_attribute
      WHERE attrelid = tables[i] AND attidentity <> ''
    LOOP
      EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), last_value, is_called) FROM %s',
        hot[i][1], each.attname, each.counter);
    END LOOP;
    SELECT pg_get_serial_sequence(tables[i]::text, attname) AS old, pg_get_serial_sequence(hot[i][1], attname) AS new INTO each
    FROM pg_attribute WHERE attrelid = tables[i] AND attidentity <> '';
    EXECUTE format('DROP TABLE %s', tables[i]);
    IF each.new IS NOT NULL THEN
      EXECUTE format('ALTER SEQUENCE %s RENAME TO %I', each.new, split_part(each.old, '.', 2));
    END IF;
    -- Do not analyse an empty table: without statistics, the planner assumes that it has rows.
    EXECUTE format('SELECT FROM %I LIMIT 1', hot[i][1]);
    GET DIAGNOSTICS found = ROW_COUNT;
    IF found > 0 THEN EXECUTE format('ANALYZE %I', hot[i][1]); END IF;
  END LOOP;
  FOREACH one IN ARRAY later LOOP EXECUTE one; END LOOP;
END $$;
COMMIT;
