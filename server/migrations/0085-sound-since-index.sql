-- Finds the listings whose Warning about hijacked versions ends by the passage of time.
CREATE INDEX CONCURRENTLY observed_fact_sound_since ON observed_fact ((value ->> 'soundSince'))
  WHERE fact = 'package_standing' AND value ->> 'soundSince' IS NOT NULL;

-- down
DROP INDEX observed_fact_sound_since;
