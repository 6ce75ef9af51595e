import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FeedReader } from '../../../../torture/feed-reader.ts';
import type { Random } from '../../../../torture/random.ts';
import { publishAll } from '../../../testing/changes/follow-changes.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { seededRandom } from '../../../testing/test-chance.ts';
import { publishChanges } from './change-feed.ts';

const WRITERS = 6;
const STEPS = 150;

let test: TestDatabase;
let writers: Writer[];

beforeEach(async () => {
  test = await createTestDatabase({ poolSize: 6 });
  writers = await Promise.all(Array.from({ length: WRITERS }, () => openWriter(test.url)));
});
afterEach(async () => {
  await Promise.all(writers.map((writer) => writer.client.end()));
  await test.close();
});

/** A session that writes, and that may leave its transaction open for any number of steps. */
interface Writer {
  readonly client: pg.Client;
  isOpen: boolean;
}

async function openWriter(url: string): Promise<Writer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { client, isOpen: false };
}

/** Adds creators. Each added creator is recorded as one change. */
async function write({ client }: Writer, rows: number): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    const id = randomUUID();
    await client.query("INSERT INTO subject (id, type, name) VALUES ($1, 'creator', 'x')", [id]);
    await client.query("INSERT INTO creator (subject_id, host, handle) VALUES ($1, 'github.com', $2)", [
      id,
      id,
    ]);
  }
}

/** Begins, continues or ends the transaction of a writer. */
async function writeSomething(writer: Writer, random: Random): Promise<void> {
  const { client } = writer;
  if (!writer.isOpen) {
    await client.query('BEGIN');
    writer.isOpen = true;
    return write(writer, random.below(3));
  }
  if (random.chance(0.5)) return write(writer, 1 + random.below(3));
  // A savepoint that writes gets its own transaction id. The rollback leaves a gap in the ids of the changes.
  if (random.chance(0.3)) {
    await client.query('SAVEPOINT s');
    await write(writer, 1);
    await client.query('ROLLBACK TO SAVEPOINT s');
  }
  await client.query(random.chance(0.8) ? 'COMMIT' : 'ROLLBACK');
  writer.isOpen = false;
}

it('readers get every committed change once and in order, while transactions stay open for any time', async () => {
  const random = seededRandom();
  const { database } = test;
  await publishAll(database);
  const readers = Array.from({ length: 3 }, () => new FeedReader(database));
  for (const reader of readers) await reader.step();

  for (let step = 0; step < STEPS; step += 1) {
    const busy = writers.filter(() => random.chance(0.4));
    await Promise.all([
      ...busy.map((writer) => writeSomething(writer, random)),
      ...readers.filter(() => random.chance(0.4)).map((reader) => reader.step()),
      ...(random.chance(0.4) ? [publishChanges(database), publishChanges(database)] : []),
    ]);
  }
  for (const writer of writers) if (writer.isOpen) await writer.client.query('COMMIT');
  await publishAll(database);
  for (const reader of readers) await reader.readToEnd();

  const [{ stored } = { stored: 0 }] = await database.query<{ stored: number }>(
    'SELECT count(*)::int AS stored FROM change',
  );
  for (const reader of readers) {
    expect(await reader.problems()).toEqual([]);
    expect(reader.restarts).toBe(0);
    expect(reader.count).toBe(stored);
  }
  expect(stored).toBeGreaterThan(100);
});
