import type pg from 'pg';
import type { Database } from './connect.ts';
import { inRetriedTransaction, type LockTimeouts } from './transaction.ts';
import { setForSession } from './with-session.ts';

// Compares the number of pages now with the number at the last analysis, because PostgreSQL estimates plans from
// pages. Selects only tables of the current role, because only the owner may analyze a table. A table that was empty
// at its last analysis has 0 in `relpages`, like one that was never analyzed.
const GROWN = `
SELECT format('%I.%I', n.nspname, c.relname) AS name
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')
  AND pg_relation_size(c.oid) / current_setting('block_size')::int BETWEEN 2 * c.relpages + $1 AND $2
ORDER BY c.oid`;

/** Growth in pages below which any plan is fast. */
const FEW_PAGES = 4;

/**
 * Maximum size in pages of a table that is analyzed here. Autovacuum runs every minute, and analyzes a larger table
 * before it can double.
 */
const MOST_PAGES = 20_000;

/**
 * Analyzes tables of up to `MOST_PAGES` pages that have more than doubled since the last analysis, and returns their
 * number. Sessions then plan their cached statements again. Autovacuum does the same, but up to a minute later. Until
 * then, a plan made for an empty table reads all runs of an account to find one.
 */
export async function refreshStatistics(database: Database): Promise<number> {
  const grown = await database.query<{ name: string }>(GROWN, [FEW_PAGES, MOST_PAGES]);
  for (const { name } of grown) await database.query(`ANALYZE ${name}`);
  return grown.length;
}

/** Index that a migration creates with CREATE INDEX CONCURRENTLY. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** Either `UNIQUE` with a trailing space, or empty. */
  readonly unique: string;
  /** SQL after the table name: columns and conditions. */
  readonly rest: string;
}

const CONCURRENTLY = /\bINDEX\s+CONCURRENTLY\b/i;
const COMMENT = /^--.*$/gm;
const STATEMENT = /^CREATE\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+([a-z]\w*)\s+ON\s+([a-z]\w*)\s*(\S[^;]*)$/i;
/** Maximum length of an identifier; PostgreSQL truncates longer ones. */
const LONGEST_NAME = 63;

/**
 * Reads the indexes of a migration that consists only of CREATE INDEX CONCURRENTLY statements. These run outside a
 * transaction, so an interrupted migration must be able to start again. Returns an empty list for a migration without
 * such statements. Throws if a migration has such statements and others.
 */
export function readConcurrentIndexes(file: string, statements: string): ConcurrentIndex[] {
  const text = statements.replace(COMMENT, '');
  if (!CONCURRENTLY.test(text)) return [];
  const parts = text.split(';').map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [, unique = '', name, table, rest = ''] = STATEMENT.exec(part) ?? [];
    if (name && table) return { unique, name, table, rest };
    throw new Error(
      `${file} contains CREATE INDEX CONCURRENTLY, so every statement before "-- down" must be of the form CREATE INDEX CONCURRENTLY name ON table …`,
    );
  });
}

/**
 * Creates an index outside a transaction unless a valid one exists; on a partitioned table, one per partition. Drops an
 * invalid index of an interrupted attempt first. Without these steps, `concurrent-index.long.test.ts` fails.
 */
export async function createIndexConcurrently(
  client: pg.Client,
  index: ConcurrentIndex,
  timeouts: LockTimeouts,
): Promise<void> {
  const found = await find(client, index);
  if (found.valid) return;
  if (found.partitioned) return makeOnParts(client, index, timeouts);
  if (found.valid === false) await drop(client, index, timeouts);
  // Waiting here blocks no reader or writer, so wait as long as all attempts of a transaction together may take.
  const lasts = await setForSession(client, { lock_timeout: `${timeouts.concurrentWaitMs}` });
  try {
    await client.query(definition(index, 'CONCURRENTLY'));
  } catch (error) {
    // An invalid index slows down every write and, if unique, rejects some. If it cannot be dropped now, the next
    // start drops it.
    await client
      .query(`SET LOCAL lock_timeout = ${timeouts.lockWaitMs}; DROP INDEX IF EXISTS ${index.name}`)
      .catch(() => undefined);
    throw !lasts && OUT_OF_TIME.includes((error as pg.DatabaseError).code) ? behindPooler(index) : error;
  } finally {
    await setForSession(client, { lock_timeout: '0' }).catch(() => undefined);
  }
}

/** 57014: statement timeout. 55P03: lock timeout. */
const OUT_OF_TIME: readonly unknown[] = ['57014', '55P03'];

/**
 * Explains a timeout behind a pooler, where timeouts cannot be switched off for one statement outside a transaction.
 */
function behindPooler({ name }: ConcurrentIndex): Error {
  return new Error(
    `The index ${name} takes longer to create than the timeouts of the role allow, and behind a pooler the server cannot lift them: ` +
      'run the command migrate once with the direct address of PostgreSQL in DATABASE_URL, then start again.',
  );
}

/**
 * Declares the index on the parent table first, so that new partitions get it. The index of the parent becomes valid
 * once every partition has its own.
 */
async function makeOnParts(client: pg.Client, index: ConcurrentIndex, timeouts: LockTimeouts): Promise<void> {
  await inRetriedTransaction(client, timeouts.lockWaitMs, async () => {
    if ((await find(client, index)).valid === null) await client.query(definition(index, 'ON ONLY'));
  });
  const { rows } = await client.query<{ part: string }>(PARTS_WITHOUT, [index.table, index.name]);
  for (const { part } of rows) {
    const ofPart = { ...index, table: part, name: partName(index, part) };
    await createIndexConcurrently(client, ofPart, timeouts);
    await inRetriedTransaction(client, timeouts.lockWaitMs, async () => {
      await client.query(`ALTER INDEX ${index.name} ATTACH PARTITION ${ofPart.name}`);
    });
  }
}

const PARTS_WITHOUT = `SELECT c.relname AS part FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
  WHERE p.inhparent = $1::regclass AND NOT EXISTS (SELECT FROM pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid
    WHERE x.indrelid = c.oid AND i.inhparent = $2::regclass) ORDER BY c.oid`;

/** Appends the partition's suffix to the index name: `runs_by_age_3` for partition `ended_run_3` of `ended_run`. */
function partName({ name, table }: ConcurrentIndex, part: string): string {
  const ending = part.startsWith(`${table}_`) ? part.slice(table.length + 1) : part;
  return `${name.slice(0, LONGEST_NAME - ending.length - 1)}_${ending}`;
}

function definition({ unique, name, table, rest }: ConcurrentIndex, how: 'CONCURRENTLY' | 'ON ONLY'): string {
  const place = how === 'ON ONLY' ? `${name} ON ONLY ${table}` : `CONCURRENTLY ${name} ON ${table}`;
  return `CREATE ${unique}INDEX ${place} ${rest}`;
}

/** Looks up the index. `valid` is null if the table has no index of that name, and false if the index is incomplete. */
async function find(
  client: pg.Client,
  { name, table }: ConcurrentIndex,
): Promise<{ partitioned: boolean; valid: boolean | null }> {
  const { rows } = await client.query<{ partitioned: boolean; valid: boolean | null }>(
    `SELECT (SELECT relkind = 'p' FROM pg_class WHERE oid = $2::regclass) AS partitioned,
       (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1) AND indrelid = $2::regclass) AS valid`,
    [name, table],
  );
  return rows[0] as { partitioned: boolean; valid: boolean | null };
}

function drop(client: pg.Client, { name }: ConcurrentIndex, timeouts: LockTimeouts): Promise<void> {
  return inRetriedTransaction(client, timeouts.lockWaitMs, async () => {
    await client.query(`DROP INDEX IF EXISTS ${name}`);
  });
}
