import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { listQueued } from '../../../testing/scoring/list-queued.ts';
import { createStandIn, usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import { dequeue, enqueueOvertaken, readQueueEntries } from '../queue/scoring-queue.queries.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { scoreQueuedSubjects, scoreQueueSample } from './score-queued-subjects.ts';

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

it('creators are scored in two parts, so that one is computed while the other is stored', async () => {
  const creators = [await makeCreator(database), await makeCreator(database)].map(({ id }) => id);
  await enqueueScoring(database, creators);
  const asked = new Set<string>();
  const both = new AbortController();
  const bothAsked = once(both.signal, 'abort');
  const backend: ScoringBackend = {
    ...embeddedBackend,
    async score(request, signal) {
      asked.add(request.subject.id);
      if (asked.size === 2) both.abort();
      // Resolves once two scores are requested, so that it never resolves if the requests are sent one after another.
      await bothAsked;
      return embeddedBackend.score(request, signal);
    },
  };

  await scoreQueuedSubjects(database, backend, NEVER, QUIET);

  expect([...asked].sort()).toEqual(creators.sort());
  expect(await listQueued(database)).toEqual([]);
});

itAtNight('a failure of one part is reported after the other has ended', async () => {
  const creators = [await makeCreator(database), await makeCreator(database)].map(({ id }) => id);
  await enqueueScoring(database, creators);
  const [first] = creators.sort();
  const failing: ScoringBackend = {
    ...embeddedBackend,
    async score(request, signal) {
      if (request.subject.id === first) throw new Error('broken');
      return embeddedBackend.score(request, signal);
    },
  };

  await expect(scoreQueuedSubjects(database, failing, NEVER, QUIET)).rejects.toThrow('broken');

  expect(await listQueued(database)).toEqual([first]);
});

describe('queue entries', () => {
  it('are removed only if unchanged since they were read', async () => {
    const [one = '', other = ''] = await makeMany(2);
    await enqueueScoring(database, [], [one, other]);
    const read = await readQueueEntries(database, [one, other]);

    await enqueueScoring(database, [one]);
    await dequeue(database, read);

    expect(await readQueueEntries(database, [one, other])).toMatchObject([{ id: one, own: true }]);
  });

  itAtNight('for own facts are not replaced by those for inherited facts', async () => {
    const [one = ''] = await makeMany(1);

    await enqueueScoring(database, [one]);
    await enqueueScoring(database, [], [one]);

    expect(await readQueueEntries(database, [one])).toMatchObject([{ own: true }]);
  });

  itAtNight(
    'for overtaken scores are found by the versions since, however many there were before',
    async () => {
      const [id = ''] = await makeMany(1);
      await enqueueScoring(database, [id]);
      await scoreQueuedSubjects(database, embeddedBackend, NEVER, QUIET);
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
        await enqueueOvertaken(connection, [
          { id, since: new Date().toISOString(), version: new Date().toISOString() },
        ]);
        return [first, await readSoFar(connection)];
      });

      expect(before).toBeGreaterThan(-1);
      expect(after).toBe(before);
    },
  );

  it('of one subject for both reasons in one call become one entry for own facts', async () => {
    const [one = '', other = ''] = await makeMany(2);

    await enqueueScoring(database, [one, one], [other, one]);

    expect(await readQueueEntries(database, [one, other])).toMatchObject([
      { id: one, own: true },
      { id: other, own: false },
    ]);
  });

  itAtNight('made under a stopped clock still differ', async () => {
    await replaceClock(database);
    await database.query("UPDATE test_clock SET fixed = '2026-11-21T12:00:00Z'");
    const [one = ''] = await makeMany(1);
    await enqueueScoring(database, [], [one]);
    const read = await readQueueEntries(database, [one]);

    await enqueueScoring(database, [], [one]);
    await dequeue(database, read);

    expect(await listQueued(database)).toEqual([one]);
  });
});

describe('scoring the queue', () => {
  it('ends with an empty queue, including the creators of the listings', async () => {
    const ids = await makeMany(5);
    await enqueueScoring(database, ids);

    await scoreQueuedSubjects(database, embeddedBackend, NEVER, QUIET);

    expect(await listQueued(database)).toEqual([]);
    const [scores] = await database.query('SELECT count(*) AS count FROM score');
    expect(scores).toEqual({ count: 6 });
  });

  itAtNight('ends even if a remote backend never scores some subjects; they stay queued', async () => {
    const ids = await makeMany(4);
    await enqueueScoring(database, ids);
    const backend = createStandIn(async (request) => {
      if (request.subject.id === ids[1]) throw new Error('out of order');
      return usableScore(request);
    });

    await scoreQueuedSubjects(database, backend, NEVER, QUIET);

    expect(await listQueued(database)).toEqual([ids[1]]);
  });

  it('runs concurrently with transactions on the same subjects, without a deadlock', async () => {
    const rounds = fewerUnlessNightly(12, 30);
    const ids = await makeMany(60);
    await enqueueScoring(database, ids);
    const change = (round: number) =>
      inTransaction(database, async (connection) => {
        const some = ids.filter((_, index) => index % 3 === round % 3);
        await connection.query(
          `SELECT id FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
          [some],
        );
        await writeListings(
          connection,
          'UPDATE listing SET stars = stars + 1 WHERE subject_id = ANY ($1::uuid[])',
          [some],
        );
        await enqueueScoring(connection, some);
      });
    const changes = (async () => {
      for (let round = 0; round < rounds; round += 1) await change(round);
    })();
    const scorings = Array.from({ length: 3 }, () =>
      scoreQueuedSubjects(database, embeddedBackend, NEVER, QUIET),
    );

    await Promise.all([changes, ...scorings]);
    await scoreQueuedSubjects(database, embeddedBackend, NEVER, QUIET);

    const stale = await database.query(
      `SELECT l.stars FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id
         JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version
       WHERE (v.inputs -> 'facts' -> 'stars' ->> 'value')::bigint <> l.stars`,
    );
    expect(stale).toEqual([]);
    expect(await listQueued(database)).toEqual([]);
  });
});

describe('a run of the background job', () => {
  it('scores old entries, and leaves new ones to the import that made them', async () => {
    await replaceClock(database);
    const [one = '', other = ''] = await makeMany(2);
    await enqueueScoring(database, [one]);
    await shiftClock(database, '20 seconds');
    await enqueueScoring(database, [other]);

    const scored = await scoreQueueSample(database, embeddedBackend, NEVER);

    expect(scored).toBe(1);
    expect(await listQueued(database)).toContain(other);
    expect(await listQueued(database)).not.toContain(one);
    await shiftClock(database, '60 seconds');
    expect(await scoreQueueSample(database, embeddedBackend, NEVER)).toBe(2);
    expect(await listQueued(database)).toEqual([]);
  });
});
