import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { readCurrentScore } from '../../../testing/scoring/read-current-score.ts';
import { createStandIn, usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { addListingCopies, lockSubjects } from '../../catalog/listings/write-listings.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { BackendBusy } from '../backends/backend-reply.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { scoreSubjects } from './score-subjects.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test?.close());

async function setParent(childId: string, parentId: string): Promise<void> {
  await database.query(
    `UPDATE listing SET parent_id = $2, parent_relation = 'fork_of', parent_stated = true,
       parent_acknowledged_at = ledger_now() WHERE subject_id = $1`,
    [childId, parentId],
  );
}

/** Creates a listing without any metric or text. */
async function makeUnknown(): Promise<string> {
  const { subjectId } = await makeListing(database);
  await writeListings(
    database,
    `UPDATE listing SET stars = NULL, forks = NULL, open_issues = NULL, last_commit_at = NULL, license = NULL,
       repository_created_at = NULL, metrics_observed_at = NULL, description = '', tags = '{}' WHERE subject_id = $1`,
    [subjectId],
  );
  return subjectId;
}

describe('scoreSubjects', () => {
  it('scores what the registry knows of a listing by the embedded method', async () => {
    const { subjectId } = await makeListing(database);

    const result = await scoreSubjects(database, embeddedBackend, [subjectId]);

    const stored = await readCurrentScore(database, subjectId);
    expect(result).toEqual({ scored: 1, incomplete: 0, failed: 0 });
    expect(stored).toMatchObject({ source: 'embedded', methodVersion: 'rs-2.0.0', status: 'partial' });
    expect(stored?.trust).toBeGreaterThan(35);
    expect(
      stored?.contributions.filter(({ status }) => status === 'observed').map(({ signal }) => signal),
    ).toEqual(['freshness', 'repository_age', 'issue_load', 'stars', 'forks', 'license', 'metadata']);
  });

  it('in a transaction, locks parents and children together in the order of ids', async () => {
    const listings = [await makeListing(database), await makeListing(database)];
    const [lower, higher] = listings.map(({ subjectId }) => subjectId).sort() as [string, string];
    await setParent(lower, higher);

    let scoring: Promise<unknown> | undefined;
    await inTransaction(database, async (charging) => {
      await lockSubjects(charging, [lower]);
      scoring = inTransaction(database, (connection) =>
        scoreSubjects(connection, embeddedBackend, [lower, higher]),
      );
      await untilBlocked(database, scoring);
      await lockSubjects(charging, [higher]);
    });

    expect(await scoring).toMatchObject({ scored: 2 });
  });

  it('scores parents before their children, so that a child inherits in the same run', async () => {
    const [grandchild, child] = [await makeUnknown(), await makeUnknown()];
    const parent = await makeListing(database, { stars: 9_000 });
    const lists = JSON.stringify({
      sources: Array.from({ length: 10 }, (_, number) => `acme/list-${number}`),
    });
    await writeListings(
      database,
      `UPDATE listing SET verified = true, forks = 900, repository_created_at = '2015-01-01', last_commit_at = ledger_now(),
         metrics_observed_at = ledger_now(), imported = $2::jsonb WHERE subject_id = $1`,
      [parent.subjectId, lists],
    );
    await setParent(child, parent.subjectId);
    await setParent(grandchild, child);

    await scoreSubjects(database, embeddedBackend, [grandchild, child, parent.subjectId]);

    const lineage = async (id: string) =>
      (await readCurrentScore(database, id))?.contributions.find(({ signal }) => signal === 'lineage');
    const parentScore = await readCurrentScore(database, parent.subjectId);
    expect(await lineage(child)).toMatchObject({ status: 'observed', observedAt: parentScore?.version });
    expect((await lineage(grandchild))?.reason).toBe("the parent's equity would not raise trust");
  });

  it('leaves a subject with incomplete evidence unscored and counts it', async () => {
    const one = await makeListing(database);
    const two = await makeListing(database);
    const backend = createStandIn(async (request) =>
      usableScore(request, { status: request.subject.id === one.subjectId ? 'incomplete' : 'complete' }),
    );

    const result = await scoreSubjects(database, backend, [one.subjectId, two.subjectId]);

    expect(result).toEqual({ scored: 1, incomplete: 1, failed: 0 });
    expect(await readCurrentScore(database, one.subjectId)).toBeNull();
    expect(await readCurrentScore(database, two.subjectId)).not.toBeNull();
  });

  it('leaves a subject unchanged, and counts it, if a remote backend gives no usable score', async () => {
    const one = await makeListing(database);
    const two = await makeListing(database);
    await scoreSubjects(database, createStandIn(), [one.subjectId]);
    const before = await readCurrentScore(database, one.subjectId);
    const backend = createStandIn(async (request) =>
      usableScore(request, request.subject.id === one.subjectId ? { trust: Number.NaN } : {}),
    );

    const result = await scoreSubjects(database, backend, [one.subjectId, two.subjectId]);

    expect(result).toEqual({ scored: 1, incomplete: 0, failed: 1 });
    expect(await readCurrentScore(database, one.subjectId)).toEqual(before);
    expect(await readCurrentScore(database, two.subjectId)).not.toBeNull();
  });

  it('gives up on a backend that keeps failing, with earlier scores stored', async () => {
    const { creatorId } = await makeListing(database);
    const ids = await makeMany(creatorId, 40);
    let calls = 0;
    const backend = createStandIn(async (request) => {
      calls += 1;
      if (calls > 10) throw new Error('out of order');
      return usableScore(request);
    });

    const work = scoreSubjects(database, backend, ids);

    await expect(work).rejects.toThrow(/stand-in gave no usable score many times in a row.*out of order/);
    expect(await scoredOf(creatorId)).toBe(10);
    expect(backend.calls.length).toBeLessThan(30);
  });

  it('waits and retries when a remote backend is busy', async () => {
    const { subjectId } = await makeListing(database);
    let calls = 0;
    const backend = createStandIn(async (request) => {
      calls += 1;
      if (calls < 3) throw new BackendBusy(20);
      return usableScore(request);
    });

    expect(await scoreSubjects(database, backend, [subjectId])).toMatchObject({ scored: 1, failed: 0 });
  });

  it('scores many subjects in batches, and starts no further batch after an abort', async () => {
    const { creatorId } = await makeListing(database);
    const ids = await makeMany(creatorId, 600);
    const stop = new AbortController();
    const batches: number[] = [];

    const first = await scoreSubjects(database, embeddedBackend, ids, {
      signal: stop.signal,
      onBatch: (batch) => {
        batches.push(batch.length);
        if (batches.length === 2) stop.abort();
      },
    });

    expect(first.scored).toBe(batches.reduce((sum, size) => sum + size, 0));
    expect(first.scored).toBeLessThan(600);
    expect(await scoredOf(creatorId)).toBe(first.scored);
    await scoreSubjects(database, embeddedBackend, ids);
    expect(await scoredOf(creatorId)).toBe(600);
  });

  it('scores a creator after their listings, and skips subjects that are no longer registered', async () => {
    const { subjectId, creatorId } = await makeListing(database);

    const result = await scoreSubjects(database, embeddedBackend, [creatorId, subjectId, randomUUID()]);

    const [listing, creator] = [
      await readCurrentScore(database, subjectId),
      await readCurrentScore(database, creatorId),
    ];
    expect(result).toEqual({ scored: 2, incomplete: 0, failed: 0 });
    expect(creator?.contributions.find(({ signal }) => signal === 'portfolio')).toMatchObject({
      status: 'observed',
      observedAt: listing?.version,
    });
    expect(await scoreSubjects(database, embeddedBackend, [])).toEqual({
      scored: 0,
      incomplete: 0,
      failed: 0,
    });
  });

  it('leaves nothing behind when the transaction around it fails', async () => {
    const { subjectId } = await makeListing(database);

    const work = inTransaction(database, async (transaction) => {
      await scoreSubjects(transaction, embeddedBackend, [subjectId]);
      throw new Error('changed my mind');
    });

    await expect(work).rejects.toThrow('changed my mind');
    expect(await readCurrentScore(database, subjectId)).toBeNull();
  });

  it('does not call a remote backend inside a transaction', async () => {
    const { subjectId } = await makeListing(database);
    const backend = createStandIn();

    const work = inTransaction(database, (transaction) => scoreSubjects(transaction, backend, [subjectId]));

    await expect(work).rejects.toThrow(/inside a transaction/);
    expect(backend.calls).toEqual([]);
  });
});

async function scoredOf(creatorId: string): Promise<number> {
  const [counted] = await database.query<{ scored: number }>(
    'SELECT count(*) AS scored FROM listing JOIN listing_rank USING (subject_id) WHERE creator_id = $1 AND score_version IS NOT NULL',
    [creatorId],
  );
  return counted?.scored ?? 0;
}

let made = 0;

async function makeMany(creatorId: string, count: number): Promise<string[]> {
  made += 1;
  const rows = await database.query<{ id: string }>(
    `INSERT INTO subject (id, type, name)
     SELECT gen_random_uuid(), 'skill', $2 || n FROM generate_series(1, $1::int) n RETURNING id`,
    [count, `many-${made}-`],
  );
  await database.query(
    `INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, category, creator_id, host, repository,
       repository_url, source)
     SELECT s.id, gen_random_uuid(), 'AGT-' || lpad(($3::int * 1000 + row_number() OVER ())::text, 8, '0'), 'skill', 'skill',
       s.name, 'other', $1, 'github.com', 'many/' || s.name, 'https://github.com/many/' || s.name, 'test'
     FROM subject s WHERE s.name LIKE $2 || '%'`,
    [creatorId, `many-${made}-`, made],
  );
  await addListingCopies(
    database,
    rows.map(({ id }) => ({ subject_id: id, words: [] })),
  );
  return rows.map(({ id }) => id);
}
