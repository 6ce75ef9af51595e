import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, shiftClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { listDue } from '../../testing/scoring/list-due.ts';
import { createStandIn, usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { makeCreator, makeListing } from '../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { embeddedBackend } from './embedded/embedded-backend.ts';
import { noteScoreDue } from './note-score-due.ts';
import { insertOvertaken, readNotes, settleNotes } from './score-due.repository.ts';
import { scoreDueSubjects, scoreSomeDue } from './score-due.ts';
import type { ScoringBackend } from './scoring-backend.ts';

const NEVER = new AbortController().signal;
const QUIET = { begin: () => undefined, advance: () => undefined, end: () => undefined };

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterEach(() => test.close());

async function makeMany(count: number): Promise<string[]> {
  const creator = await makeCreator(database);
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await makeListing(database, { creator, stars: 9 })).id);
  return ids.sort();
}

it('creators are scored in two lanes, so that one is worked out while the other is recorded', async () => {
  const creators = [await makeCreator(database), await makeCreator(database)].map(({ id }) => id);
  await noteScoreDue(database, creators);
  const asked = new Set<string>();
  const both = new AbortController();
  const bothAsked = once(both.signal, 'abort');
  const backend: ScoringBackend = {
    ...embeddedBackend,
    async score(request, signal) {
      asked.add(request.subject.id);
      if (asked.size === 2) both.abort();
      // Without end where the second is asked about after the first.
      await bothAsked;
      return embeddedBackend.score(request, signal);
    },
  };

  await scoreDueSubjects(database, backend, NEVER, QUIET);

  expect([...asked].sort()).toEqual(creators.sort());
  expect(await listDue(database)).toEqual([]);
});

it('a lane that fails is told once the other has ended', async () => {
  const creators = [await makeCreator(database), await makeCreator(database)].map(({ id }) => id);
  await noteScoreDue(database, creators);
  const [first] = creators.sort();
  const failing: ScoringBackend = {
    ...embeddedBackend,
    async score(request, signal) {
      if (request.subject.id === first) throw new Error('broken');
      return embeddedBackend.score(request, signal);
    },
  };

  await expect(scoreDueSubjects(database, failing, NEVER, QUIET)).rejects.toThrow('broken');

  expect(await listDue(database)).toEqual([first]);
});

describe('notes of what is due', () => {
  it('are taken off only as they were read: one renewed since stays', async () => {
    const [one = '', other = ''] = await makeMany(2);
    await noteScoreDue(database, [], [one, other]);
    const read = await readNotes(database, [one, other]);

    await noteScoreDue(database, [one]);
    await settleNotes(database, read);

    expect(await readNotes(database, [one, other])).toMatchObject([{ id: one, own: true }]);
  });

  it('of own facts are not weakened by those of inherited ones', async () => {
    const [one = ''] = await makeMany(1);

    await noteScoreDue(database, [one]);
    await noteScoreDue(database, [], [one]);

    expect(await readNotes(database, [one])).toMatchObject([{ own: true }]);
  });

  it('of what was overtaken are looked for among the versions since, however many there were before', async () => {
    const [id = ''] = await makeMany(1);
    await noteScoreDue(database, [id]);
    await scoreDueSubjects(database, embeddedBackend, NEVER, QUIET);
    await database.query(
      `INSERT INTO score_version (subject_id, version, content, ledger_id)
       SELECT subject_id, version - n * interval '1 second', content, gen_random_uuid()
       FROM score_version, generate_series(1, 2000) n WHERE subject_id = $1 LIMIT 2000`,
      [id],
    );
    await database.query('ANALYZE score_version, score_evidence');

    const readSoFar = async (connection: Connection) => {
      const [row] = await connection.query<{ rows: number }>(
        "SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'score_version'",
      );
      return row?.rows;
    };
    const [before, after] = await inTransaction(database, async (connection) => {
      const first = await readSoFar(connection);
      await insertOvertaken(connection, [
        { id, since: new Date().toISOString(), version: new Date().toISOString() },
      ]);
      return [first, await readSoFar(connection)];
    });

    expect(before).toBeGreaterThan(-1);
    expect(after).toBe(before);
  });

  it('of one subject for both reasons, in one call, are one note of own facts', async () => {
    const [one = '', other = ''] = await makeMany(2);

    await noteScoreDue(database, [one, one], [other, one]);

    expect(await readNotes(database, [one, other])).toMatchObject([
      { id: one, own: true },
      { id: other, own: false },
    ]);
  });

  it('made under a clock that stands are told apart all the same', async () => {
    await replaceClock(database);
    await database.query("UPDATE test_clock SET fixed = '2026-11-21T12:00:00Z'");
    const [one = ''] = await makeMany(1);
    await noteScoreDue(database, [], [one]);
    const read = await readNotes(database, [one]);

    await noteScoreDue(database, [], [one]);
    await settleNotes(database, read);

    expect(await listDue(database)).toEqual([one]);
  });
});

describe('scoring what is due', () => {
  it('ends with nothing due, the creators of the listings included', async () => {
    const ids = await makeMany(5);
    await noteScoreDue(database, ids);

    await scoreDueSubjects(database, embeddedBackend, NEVER, QUIET);

    expect(await listDue(database)).toEqual([]);
    const [scores] = await database.query('SELECT count(*) AS count FROM score');
    expect(scores).toEqual({ count: 6 });
  });

  it('ends also where another system never scores some of it; they stay due', async () => {
    const ids = await makeMany(4);
    await noteScoreDue(database, ids);
    const backend = createStandIn(async (request) => {
      if (request.subject.id === ids[1]) throw new Error('out of order');
      return usableScore(request);
    });

    await scoreDueSubjects(database, backend, NEVER, QUIET);

    expect(await listDue(database)).toEqual([ids[1]]);
  });

  it('goes on beside anyone who changes the same subjects in transactions, without a deadlock', async () => {
    const ids = await makeMany(60);
    await noteScoreDue(database, ids);
    const change = (round: number) =>
      inTransaction(database, async (connection) => {
        const some = ids.filter((_, index) => index % 3 === round % 3);
        await connection.query(
          `SELECT id FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
          [some],
        );
        await connection.query('UPDATE listing SET stars = stars + 1 WHERE subject_id = ANY ($1::uuid[])', [
          some,
        ]);
        await noteScoreDue(connection, some);
      });
    const changes = (async () => {
      for (let round = 0; round < 30; round += 1) await change(round);
    })();
    const scorings = Array.from({ length: 3 }, () =>
      scoreDueSubjects(database, embeddedBackend, NEVER, QUIET),
    );

    await Promise.all([changes, ...scorings]);
    await scoreDueSubjects(database, embeddedBackend, NEVER, QUIET);

    const stale = await database.query(
      `SELECT l.stars FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id
         JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version
       WHERE (v.inputs -> 'facts' -> 'stars' ->> 'value')::bigint <> l.stars`,
    );
    expect(stale).toEqual([]);
    expect(await listDue(database)).toEqual([]);
  });
});

describe('a round in the background', () => {
  it('scores what has been due for a while, and leaves to an import what it has just noted', async () => {
    await replaceClock(database);
    const [one = '', other = ''] = await makeMany(2);
    await noteScoreDue(database, [one]);
    await shiftClock(database, '20 seconds');
    await noteScoreDue(database, [other]);

    const scored = await scoreSomeDue(database, embeddedBackend, NEVER);

    expect(scored).toBe(1);
    expect(await listDue(database)).toContain(other);
    expect(await listDue(database)).not.toContain(one);
    await shiftClock(database, '60 seconds');
    expect(await scoreSomeDue(database, embeddedBackend, NEVER)).toBe(2);
    expect(await listDue(database)).toEqual([]);
  });
});
