-- The one clock of every statement. Only a test harness replaces it, in its own database.
CREATE FUNCTION ledger_now() RETURNS timestamptz
  LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

-- Timestamps leave the database as text with six decimals: a JavaScript Date would round them to milliseconds.
CREATE FUNCTION utc_text(moment timestamptz) RETURNS text
  LANGUAGE sql STABLE AS $$SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')$$;

-- down
DROP FUNCTION utc_text(timestamptz);
DROP FUNCTION ledger_now();
