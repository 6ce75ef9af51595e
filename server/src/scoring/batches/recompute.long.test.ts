import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createStandIn, usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { type RecomputeOptions, recompute } from './recompute.ts';

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
});
afterEach(() => test.close());

/** Wraps the embedded method and records the names of the subjects that it scores, in order. */
function watched(): { backend: ScoringBackend; asked: string[]; take(): string[] } {
  const asked: string[] = [];
  const score: ScoringBackend['score'] = (request, signal) => {
    asked.push(request.subject.name);
    return embeddedBackend.score(request, signal);
  };
  return { backend: { source: embeddedBackend.source, score }, asked, take: () => asked.splice(0) };
}

async function makeRegistry(): Promise<{ parent: string; child: string; artifact: string; creator: string }> {
  const creator = await makeCreator(database, { handle: 'maker' });
  const known = { creator, stars: 900, forks: 40, license: 'MIT', description: 'Something' };
  const parent = await makeListing(database, { ...known, name: 'parent' });
  const child = await makeListing(database, { ...known, name: 'child', parentId: parent.id });
  const artifact = await makeArtifact(database, parent, { name: 'part' });
  return { parent: parent.id, child: child.id, artifact, creator: creator.id };
}

async function versions(): Promise<Record<string, string>> {
  const rows = await database.query<{ name: string; version: string }>(
    'SELECT name, utc_text(current_version) AS version FROM subject ORDER BY name',
  );
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}

const scoredNow = (options?: RecomputeOptions) => recompute(database, embeddedBackend, options);

describe('recompute', () => {
  it('scores what has none, parents first and creators last, and a second run finds nothing to do', async () => {
    await makeRegistry();
    const { backend, take } = watched();

    const first = await recompute(database, backend);
    const asked = take();
    const second = await recompute(database, backend);

    expect(first).toEqual({ scored: 4, incomplete: 0, failed: 0, finished: true });
    expect(asked.indexOf('parent')).toBeLessThan(asked.indexOf('child'));
    expect(asked.at(-1)).toBe('maker');
    expect(second).toEqual({ scored: 0, incomplete: 0, failed: 0, finished: true });
    expect(take()).toEqual([]);
    expect(await database.query('SELECT * FROM score_due')).toEqual([]);
  });

  itAtNight.each([
    ['6 days 23 hours', 0],
    ['7 days 1 minute', 4],
  ])('after %s scores %d subjects again', async (interval, scored) => {
    await makeRegistry();
    await scoredNow();
    const before = await versions();
    await shiftClock(database, interval);

    expect((await scoredNow()).scored).toBe(scored);

    const changed = Object.entries(await versions()).filter(([name, version]) => before[name] !== version);
    expect(changed).toHaveLength(scored);
  });

  itAtNight('scores again what another method version or another backend had scored', async () => {
    await makeRegistry();
    await recompute(database, createStandIn());
    expect((await scoredNow()).scored).toBe(4);

    const { backend } = watched();
    const older: ScoringBackend = {
      source: backend.source,
      score: async (...asked) => ({ ...(await embeddedBackend.score(...asked)), methodVersion: 'rs-0.9.0' }),
    };
    await recompute(database, older, { all: true });

    expect((await scoredNow()).scored).toBe(4);
    expect((await scoredNow()).scored).toBe(0);
  });

  it('scores queued subjects, their children where their own facts changed, and the creator of both', async () => {
    const { parent, child } = await makeRegistry();
    await scoredNow();
    const { backend, take } = watched();

    await enqueueScoring(database, [], [child]);
    await recompute(database, backend);
    expect(take()).toEqual(['child', 'maker']);
    await enqueueScoring(database, [parent]);
    await recompute(database, backend);

    expect(take()).toEqual(['parent', 'child', 'maker']);
  });

  it('keeps a queue entry that is made while the subject is being scored', async () => {
    const { child } = await makeRegistry();
    await scoredNow();
    await enqueueScoring(database, [child]);
    const meanwhile: ScoringBackend = {
      source: embeddedBackend.source,
      score: async (request, signal) => {
        if (request.subject.id === child) await enqueueScoring(database, [child]);
        return embeddedBackend.score(request, signal);
      },
    };

    await recompute(database, meanwhile, { types: ['agent', 'skill'] });

    expect(await database.query('SELECT subject_id AS id FROM score_due WHERE own')).toEqual([{ id: child }]);
  });

  itAtNight('scores only the chosen types', async () => {
    await makeRegistry();
    const { backend, take } = watched();

    await recompute(database, backend, { types: ['creator'] });

    expect(take()).toEqual(['maker']);
  });

  itAtNight('counts incomplete evidence, which is no error and leaves the existing score', async () => {
    await makeRegistry();
    const bare = await makeListing(database, { name: 'bare' });
    await scoredNow();
    const before = await versions();
    await enqueueScoring(database, [bare.id]);
    const backend = createStandIn(async (request) =>
      usableScore(request, { status: request.subject.name === 'bare' ? 'incomplete' : 'partial' }),
    );

    const result = await recompute(database, backend);

    expect(result).toMatchObject({ incomplete: 1, failed: 0, finished: true });
    expect((await versions()).bare).toBe(before.bare);
  });

  it('works with a remote backend, whose failures are counted and stay queued', async () => {
    await makeRegistry();
    let broken = true;
    const backend = createStandIn(async (request) => {
      if (broken && request.subject.name === 'child') throw new Error('out of order');
      return usableScore(request);
    });

    const first = await recompute(database, backend);
    broken = false;
    const second = await recompute(database, backend);

    expect(first).toMatchObject({ scored: 3, failed: 1, finished: true });
    expect(second).toMatchObject({ scored: 2, failed: 0 });
    const sources = await database.query('SELECT DISTINCT source FROM score');
    expect(sources).toEqual([{ source: 'stand-in' }]);
  });
});

describe('an interrupted recompute', () => {
  async function makeMany(count: number): Promise<void> {
    const creator = await makeCreator(database, { handle: 'maker' });
    for (let made = 0; made < count; made += 1) await makeListing(database, { creator, stars: made });
  }

  /** Aborts after this many subjects, in the middle of a batch. */
  function stoppingAfter(subjects: number): {
    backend: ScoringBackend;
    signal: AbortSignal;
    asked(): number;
  } {
    const stop = new AbortController();
    let asked = 0;
    const score: ScoringBackend['score'] = (request, signal) => {
      asked += 1;
      if (asked === subjects) stop.abort();
      return embeddedBackend.score(request, signal);
    };
    return { backend: { source: embeddedBackend.source, score }, signal: stop.signal, asked: () => asked };
  }

  it.each(sampleUnlessNightly([false, true], (all) => all))(
    'finishes its batch, and resumes there; everything: %s',
    async (all) => {
      await makeMany(230);
      if (all) await scoredNow();
      const { backend, signal, asked } = stoppingAfter(30);

      const first = await recompute(database, backend, { all, signal });
      const askedFirst = asked();
      const second = await recompute(database, backend, { all });

      expect(first).toMatchObject({ scored: askedFirst, finished: false });
      expect(askedFirst).toBeGreaterThanOrEqual(30);
      expect(askedFirst).toBeLessThan(230);
      expect(second).toMatchObject({ scored: 231 - askedFirst, finished: true });
      expect(asked()).toBe(231);
      expect(await database.query('SELECT * FROM recompute_run')).toEqual([]);
    },
  );

  itAtNight('of everything starts again after it was complete', async () => {
    await makeMany(3);

    for (let run = 0; run < 2; run += 1) expect((await scoredNow({ all: true })).scored).toBe(4);
  });
});

describe('the score that is shown', () => {
  it('is one row for list, page, interface and history, after every recompute', async () => {
    await makeRegistry();
    for (const interval of ['0', '8 days', '16 days']) {
      await shiftClock(database, interval);
      await scoredNow();
    }

    const differing = await database.query(
      `SELECT s.name FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
       JOIN listing_rank k ON k.subject_id = s.id
       WHERE (k.score_version, k.trust, k.confidence, k.tier) IS DISTINCT FROM (v.version, v.trust, v.confidence, v.tier)
         OR v.version <> (SELECT max(version) FROM score WHERE subject_id = s.id)`,
    );
    const [history] = await database.query('SELECT count(*) AS count FROM score');
    expect(differing).toEqual([]);
    expect(history).toEqual({ count: 12 });
  });

  it('is computed outside of any transaction: no lock waits for it', async () => {
    await makeRegistry();
    let waiting = 0;
    const backend: ScoringBackend = {
      source: embeddedBackend.source,
      score: async (request, signal) => {
        const open = await database.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND state LIKE 'idle in transaction%'`,
        );
        waiting += open.length;
        return embeddedBackend.score(request, signal);
      },
    };

    await recompute(database, backend);

    expect(waiting).toBe(0);
  });
});
