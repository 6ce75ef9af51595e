import type pg from 'pg';
import { setForSession } from './own-session.ts';
import { inPatientTransaction, type Patience } from './patient-transaction.ts';

/** An index that a migration has made while others go on writing to its table. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  readonly unique: string;
  /** What follows the table: columns, conditions. */
  readonly rest: string;
}

const CONCURRENTLY = /\bINDEX\s+CONCURRENTLY\b/i;
const COMMENT = /^--.*$/gm;
const STATEMENT = /^CREATE\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+([a-z]\w*)\s+ON\s+([a-z]\w*)\s*(\S[^;]*)$/i;
/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63;

/**
 * The indexes of a migration that makes nothing else: none stands in a transaction, so that a migration which has begun with
 * some of them must be able to begin again. Empty for every other migration; throws where one does both.
 */
export function readConcurrentIndexes(file: string, statements: string): ConcurrentIndex[] {
  const text = statements.replace(COMMENT, '');
  if (!CONCURRENTLY.test(text)) return [];
  const parts = text.split(';').map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [, unique = '', name, table, rest = ''] = STATEMENT.exec(part) ?? [];
    if (name && table) return { unique, name, table, rest };
    throw new Error(
      `${file} makes an index concurrently, so every statement before "-- down" must be CREATE INDEX CONCURRENTLY name ON table …`,
    );
  });
}

/**
 * Makes an index that is missing, in no transaction: on a table in parts one for each part. What was left behind half made is
 * made anew; one that somebody made beforehand stays.
 */
export async function makeConcurrently(
  client: pg.Client,
  index: ConcurrentIndex,
  patience: Patience,
): Promise<void> {
  const found = await find(client, index);
  if (found.valid) return;
  if (found.partitioned) return makeOnParts(client, index, patience);
  if (found.valid === false) await drop(client, index, patience);
  // Who waits here keeps nobody from reading or writing, so it may take as long as the tries of a transaction do.
  const lasts = await setForSession(client, { lock_timeout: `${patience.concurrentWaitMs}` });
  try {
    await client.query(definition(index, 'CONCURRENTLY'));
  } catch (error) {
    // Half made it would cost every write and, if it is unique, refuse some. The next start drops it where this can't at once.
    await client
      .query(`SET LOCAL lock_timeout = ${patience.lockWaitMs}; DROP INDEX IF EXISTS ${index.name}`)
      .catch(() => undefined);
    throw !lasts && OUT_OF_TIME.includes((error as pg.DatabaseError).code) ? behindPooler(index) : error;
  } finally {
    await setForSession(client, { lock_timeout: '0' }).catch(() => undefined);
  }
}

/** 57014: a statement took longer than its limit. 55P03: a lock did. */
const OUT_OF_TIME: readonly unknown[] = ['57014', '55P03'];

/** No transaction holds such a statement, so that no limit can be lifted for it alone. */
function behindPooler({ name }: ConcurrentIndex): Error {
  return new Error(
    `The index ${name} takes longer to make than the limits of the role allow, and behind a pooler the server cannot lift them: ` +
      'run the command migrate once with the address of PostgreSQL itself in DATABASE_URL, then start again.',
  );
}

/** The whole is declared first, so that parts which are added meanwhile have theirs; it is valid once every part has one. */
async function makeOnParts(client: pg.Client, index: ConcurrentIndex, patience: Patience): Promise<void> {
  await inPatientTransaction(client, patience.lockWaitMs, async () => {
    if ((await find(client, index)).valid === null) await client.query(definition(index, 'ON ONLY'));
  });
  const { rows } = await client.query<{ part: string }>(PARTS_WITHOUT, [index.table, index.name]);
  for (const { part } of rows) {
    const ofPart = { ...index, table: part, name: partName(index, part) };
    await makeConcurrently(client, ofPart, patience);
    await inPatientTransaction(client, patience.lockWaitMs, async () => {
      await client.query(`ALTER INDEX ${index.name} ATTACH PARTITION ${ofPart.name}`);
    });
  }
}

const PARTS_WITHOUT = `SELECT c.relname AS part FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
  WHERE p.inhparent = $1::regclass AND NOT EXISTS (SELECT FROM pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid
    WHERE x.indrelid = c.oid AND i.inhparent = $2::regclass) ORDER BY c.oid`;

/** The part's own ending behind the index's name: `runs_by_age_3` for part `ended_run_3` of `ended_run`. */
function partName({ name, table }: ConcurrentIndex, part: string): string {
  const ending = part.startsWith(`${table}_`) ? part.slice(table.length + 1) : part;
  return `${name.slice(0, LONGEST_NAME - ending.length - 1)}_${ending}`;
}

function definition({ unique, name, table, rest }: ConcurrentIndex, how: 'CONCURRENTLY' | 'ON ONLY'): string {
  const place = how === 'ON ONLY' ? `${name} ON ONLY ${table}` : `CONCURRENTLY ${name} ON ${table}`;
  return `CREATE ${unique}INDEX ${place} ${rest}`;
}

/** `valid` is null where there is none of that name, false where it is half made. */
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

function drop(client: pg.Client, { name }: ConcurrentIndex, patience: Patience): Promise<void> {
  return inPatientTransaction(client, patience.lockWaitMs, async () => {
    await client.query(`DROP INDEX IF EXISTS ${name}`);
  });
}
