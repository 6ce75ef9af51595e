import { recountVocabulary } from '../server/src/catalog/listings/refresh-vocabulary.ts';
import { vacuum, withTableLocks } from './bench-server.mjs';
import { whole } from './figures.ts';
import { tell } from './progress.mjs';

/**
 * Creates the schema `bench` with the source rows and the functions that derive a copy's names, ids and addresses. Every run
 * makes the same copies.
 */
const GROUND = (multiplier, there) => `
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.source AS
  SELECT subject_id AS id, agent_id, row_number() OVER (ORDER BY agent_id) AS place FROM listing
  UNION ALL SELECT subject_id, NULL, NULL FROM creator UNION ALL SELECT subject_id, NULL, NULL FROM artifact;
ALTER TABLE bench.source ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX ON bench.source (agent_id);
-- All words of listing names, with repetitions, so that a word drawn at random is as frequent in the copies as in the source.
CREATE TABLE bench.name_word AS
  SELECT row_number() OVER (ORDER BY agent_id, word) - 1 AS n, word
  FROM listing, regexp_split_to_table(lower(name), '[^a-z0-9]+') AS word WHERE length(word) BETWEEN 2 AND 20;
ALTER TABLE bench.name_word ADD PRIMARY KEY (n);
ANALYZE bench.source, bench.name_word;
CREATE FUNCTION bench.id(uuid, int) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5($1::text || '/' || $2)::uuid $$;
-- Adds the number of the copy to the owner in an address, and keeps the beginning of the owner, so that prefix searches match.
CREATE FUNCTION bench.word(text, int) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT regexp_replace($1, '([^/]+)(/[^/]+)?$', '\\1-t' || $2 || '\\2') $$;
-- Two of three copies get one more word in their name. The third keeps the name of its original, as real forks do.
DO $do$ BEGIN EXECUTE format($$
CREATE FUNCTION bench.added(place bigint, copy int) RETURNS text LANGUAGE sql STABLE AS
  'SELECT CASE WHEN hash %% 3 > 0 THEN (SELECT word FROM bench.name_word WHERE n = hash / 3 %% %s) END
   FROM (SELECT hashint8extended(place, copy) & 9223372036854775807) AS spread (hash)' $$, (SELECT count(*) FROM bench.name_word)); END $do$;
CREATE FUNCTION bench.name(name text, place bigint, copy int) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT name || coalesce('-' || bench.added(place, copy), '') $$;
CREATE FUNCTION bench.together(text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT left(regexp_replace(lower($1), '[^[:alnum:]]+', '', 'g'), 100) $$;
CREATE FUNCTION bench.words(base tsvector, name text, repository text, added text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT base || array_to_tsvector(array_remove(ARRAY['^' || bench.together(name), '^' || bench.together(split_part(repository, '/', 2)),
    '~' || bench.together(split_part(repository, '/', 1)) || '/' || bench.together(split_part(repository, '/', 2)),
    '=' || added, added, CASE WHEN added <> '' THEN bench.together(name) END, CASE WHEN added <> '' THEN '=' || bench.together(name) END], NULL)) $$;
-- A bijection on 40 bits: no two copies get the same id, and ids are spread over the whole range, as real ones are.
CREATE FUNCTION bench.agent_id(place bigint, copy int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'AGT-' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (number >> 5 * digit & 31)::int + 1, 1), '' ORDER BY digit)
  FROM (SELECT (place + copy * ${there}::bigint) * ${multiplier} & (1::bigint << 40) - 1 AS number) AS spread, generate_series(0, 7) AS digit $$;
`;
/**
 * Multipliers that spread the ids of copies over 40 bits. They are odd, so that no two copies get the same id, and below
 * 2^23, so that the product fits into 63 bits. The first one is used whose ids are not taken yet.
 */
const MULTIPLIERS = [6_700_417, 7_368_787, 5_915_587, 4_256_233];

/**
 * Expressions that turn a column's value into the copy's; `c` is the number of the copy. Other columns are copied unchanged.
 */
const COPIED = {
  id: 'bench.id(r.id, c)',
  subject_id: 'bench.id(r.subject_id, c)',
  listing_id: 'bench.id(r.listing_id, c)',
  creator_id: 'bench.id(r.creator_id, c)',
  parent_id: 'bench.id(r.parent_id, c)',
  registry_row_id: 'bench.id(r.registry_row_id, c)',
  agent_id: 'bench.agent_id(r.source_place, c)',
  handle: 'bench.word(r.handle, c)',
  repository: 'bench.word(r.repository, c)',
  repository_url: "replace(r.repository_url, '/' || r.repository, '/' || bench.word(r.repository, c))",
  host_repository_id: "r.host_repository_id || '.' || c",
  npm_package: 'bench.word(r.npm_package, c)',
  pypi_package: 'bench.word(r.pypi_package, c)',
  account_id: 'NULL',
  ledger_id: 'NULL',
  registered_by: 'NULL',
  from_listing_id: 'bench.id(r.from_listing_id, c)',
  to_listing_id: 'bench.id(r.to_listing_id, c)',
  from_repository: 'bench.word(r.from_repository, c)',
  to_repository: 'bench.word(r.to_repository, c)',
};
const NAME = 'bench.name(r.name, r.source_place, c)';
/**
 * Alias of a copy: a plain name is kept, an id becomes the id of the copy, and the owner in an address gets the number of
 * the copy as a suffix.
 */
const ALIAS = `CASE WHEN r.kind = 'name' THEN r.label WHEN r.label = r.subject_id::text THEN bench.id(r.subject_id, c)::text
  WHEN r.label = lower(r.source_agent_id) THEN lower(${COPIED.agent_id})
  ELSE bench.word(r.label, c) END`;

/** Tables that hold the rows of a subject, with the columns that a copy changes. Only the current score is copied. */
const TABLES = [
  { table: 'subject', key: 'id', columns: { name: NAME } },
  { table: 'creator', key: 'subject_id' },
  { table: 'listing', key: 'subject_id', columns: { name: NAME } },
  { table: 'artifact', key: 'subject_id' },
  { table: 'subject_alias', key: 'subject_id', columns: { label: ALIAS } },
  {
    table: 'score_evidence',
    key: 'subject_id',
    only: `EXISTS (SELECT FROM subject v JOIN score_version n ON n.subject_id = v.id AND n.version = v.current_version
      WHERE v.id = r.subject_id AND n.content = r.content)`,
  },
  {
    table: 'score_version',
    key: 'subject_id',
    only: 'EXISTS (SELECT FROM subject v WHERE v.id = r.subject_id AND v.current_version = r.version)',
  },
  { table: 'relation', key: 'from_listing_id' },
  {
    table: 'listed_name',
    key: 'subject_id',
    columns: {
      key: `CASE r.of WHEN 'listing' THEN name_key(bench.name(r.key, r.source_place, c))
        WHEN 'creator' THEN r.key || '-t' || c ELSE r.key END`,
    },
  },
  {
    table: 'listing_words',
    key: 'subject_id',
    more: `, (SELECT l.repository FROM listing l WHERE l.subject_id = r.subject_id),
      (SELECT l.name FROM listing l WHERE l.subject_id = r.subject_id),
      ts_delete(r.words, ARRAY(SELECT word FROM unnest(tsvector_to_array(r.words)) AS word WHERE word ~ '^[~^]')) AS base`,
    columns: {
      sort_name: `lower(${NAME})`,
      words: `bench.words(r.base, ${NAME}, ${COPIED.repository}, bench.added(r.source_place, c))`,
    },
  },
];
/** Selects the tables that have one row per listing, creator or subject, such as search words, except the tables in $1. */
const PARTS = `
SELECT c.conrelid::regclass::text AS table, a.attname AS key FROM pg_constraint c
JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
JOIN pg_constraint p ON p.conrelid = c.conrelid AND p.contype = 'p' AND p.conkey = c.conkey
WHERE c.contype = 'f' AND cardinality(c.conkey) = 1 AND c.confrelid IN ('subject'::regclass, 'listing'::regclass, 'creator'::regclass)
  AND c.connamespace = 'public'::regnamespace AND c.conrelid::regclass::text <> ALL ($1::text[]) ORDER BY 1`;
const NOT_COPIED = ['score_due', 'platform_account'];
/** Tables filled by triggers that are disabled while copying. */
const FILLED = ['listing_total', 'search_word'];
/** Returns the number of the first copy. A directory that was grown before has copies with smaller numbers. */
const firstOf = (there) => there + 1;
const ROWS_AT_ONCE = 20_000;

/**
 * Copies all listings, with their creators, names, words and scores, until the directory has about `wanted` listings. Derived
 * rows are as an import leaves them: copied with their subject, or computed for all copies at once.
 */
export async function growTo(database, wanted) {
  const [{ there }] = await database.query('SELECT count(*)::int AS there FROM listing');
  const copies = Math.ceil(wanted / there) - 1;
  if (copies < 1) return there;
  await layGround(database, there, copies);
  const named = TABLES.map(({ table }) => table);
  const parts = await database.query(PARTS, [[...named, ...NOT_COPIED]]);
  const tables = [...TABLES, ...parts];
  const statements = [];
  for (const table of tables) statements.push(await statementFor(database, table));
  const restore = await setAside(database, [...tables.map(({ table }) => table), ...FILLED]);
  const atOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / there));
  for (let made = 0; made < copies; made += atOnce) {
    const upTo = Math.min(copies, made + atOnce);
    const numbers = [firstOf(there) + made, firstOf(there) + upTo - 1];
    for (const sql of statements) await database.query(sql, numbers);
    tell(`${whole(there * (upTo + 1))} listings`);
  }
  for (const sql of KEPT) await withTableLocks(database, sql);
  await restore();
  await withTableLocks(database, 'DROP SCHEMA bench CASCADE');
  await settle(database);
  return requireCount(database, there * (copies + 1));
}

/**
 * Brings a directory into the state that it has some minutes after a large change: vacuumed, analysed and with a
 * counted vocabulary.
 */
export async function settle(database) {
  tell('vacuuming and analysing');
  await vacuum(database);
  tell('counting how common each word is, as the server does a minute after an import');
  await recountVocabulary(database);
}

async function requireCount(database, wanted) {
  for (const table of ['listing', 'listing_words']) {
    const [{ count }] = await database.query(`SELECT count(*)::int AS count FROM ${table}`);
    if (count !== wanted) throw new Error(`${table} has ${count} rows, and should have ${wanted}`);
  }
  return wanted;
}

async function layGround(database, there, copies) {
  for (const multiplier of MULTIPLIERS) {
    await database.query(GROUND(multiplier, there));
    const [{ taken }] = await database.query(
      `SELECT EXISTS (SELECT FROM generate_series(1, $1::bigint) n JOIN bench.source s
         ON s.agent_id = bench.agent_id(n, $2::int)) AS taken`,
      [there * copies, firstOf(there)],
    );
    if (!taken) return;
  }
  throw new Error('every way of numbering the copies meets an id that is there already');
}

/**
 * Copies the source rows of a table into the schema `bench`, and returns the statement that inserts the copies with the
 * numbers $1 to $2.
 */
async function statementFor(database, { table, key, only = 'true', more = '', columns = {} }) {
  const rows = await database.query(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
     AND attgenerated = '' AND attidentity = '' ORDER BY attnum`,
    [table],
  );
  await database.query(
    `CREATE TABLE bench.${table} AS SELECT r.*, s.place AS source_place, s.agent_id AS source_agent_id ${more}
     FROM ${table} r JOIN bench.source s ON s.${key === 'agent_id' ? 'agent_id' : 'id'} = r.${key} WHERE ${only}`,
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => columns[name] ?? COPIED[name] ?? `r.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
    FROM bench.${table} r, generate_series($1::int, $2::int) AS c`;
}

/** Statements that write for all copies at once what the disabled triggers would have written. */
const KEPT = [
  'TRUNCATE listing_total',
  `INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
   SELECT type, verified, tier, category, kind, license, count(*) FROM listing_words GROUP BY 1, 2, 3, 4, 5, 6`,
  `INSERT INTO search_word (word, stem, listings, named) SELECT DISTINCT word, word, 1, 1
   FROM listing, bench.together(name) AS together (word) WHERE word <> '' AND NOT EXISTS (SELECT FROM search_word s WHERE s.word = together.word)`,
];

/**
 * Disables the triggers and drops the indexes without a constraint, because they slow down the inserts. Returns a
 * function that restores them.
 */
async function setAside(database, tables) {
  const indexes = await database.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  );
  const turn = async (how) => {
    for (const table of tables) await withTableLocks(database, `ALTER TABLE ${table} ${how} TRIGGER ALL`);
  };
  await turn('DISABLE');
  for (const { name } of indexes) await withTableLocks(database, `DROP INDEX ${name}`);
  return async () => {
    for (const { name, made } of indexes) {
      tell(`making ${name}`);
      await withTableLocks(database, made);
    }
    await turn('ENABLE');
  };
}
