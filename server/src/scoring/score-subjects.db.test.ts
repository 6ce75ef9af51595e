import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { makeListing } from '../testing/factories.ts';
import { createStandIn, usableScore } from '../testing/stand-in-backend.ts';
import { ScoreRejected } from './accept-score.ts';
import { embeddedBackend } from './embedded/embedded-backend.ts';
import { readCurrentScore } from './score.repository.ts';
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

/** A listing of which no metric and no text is known. */
async function makeUnknown(): Promise<string> {
  const { subjectId } = await makeListing(database);
  await database.query(
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
    expect(result).toEqual({ scored: 1, incomplete: 0 });
    expect(stored).toMatchObject({ source: 'embedded', methodVersion: 'rs-1.0.0', status: 'partial' });
    expect(stored?.trust).toBeGreaterThan(35);
    expect(
      stored?.contributions.filter(({ status }) => status === 'observed').map(({ signal }) => signal),
    ).toEqual(['verified_listing', 'freshness', 'issue_load', 'stars', 'forks', 'license', 'metadata']);
  });

  it('scores parents before their children, so that a child inherits in the same run', async () => {
    const [grandchild, child] = [await makeUnknown(), await makeUnknown()];
    const parent = await makeListing(database, { stars: 9_000 });
    await database.query('UPDATE listing SET verified = true, forks = 900 WHERE subject_id = $1', [
      parent.subjectId,
    ]);
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

    expect(result).toEqual({ scored: 1, incomplete: 1 });
    expect(await readCurrentScore(database, one.subjectId)).toBeNull();
    expect(await readCurrentScore(database, two.subjectId)).not.toBeNull();
  });

  it('rejects on any other unusable score and stores nothing of its batch', async () => {
    const one = await makeListing(database);
    const two = await makeListing(database);
    const [, last = ''] = [one.subjectId, two.subjectId].sort();
    const backend = createStandIn(async (request) =>
      usableScore(request, request.subject.id === last ? { trust: Number.NaN } : {}),
    );

    await expect(scoreSubjects(database, backend, [one.subjectId, two.subjectId])).rejects.toThrow(
      ScoreRejected,
    );

    expect(await readCurrentScore(database, one.subjectId)).toBeNull();
    expect(await readCurrentScore(database, two.subjectId)).toBeNull();
  });

  it('works through many subjects in batches and tells how far it is', async () => {
    const { creatorId } = await makeListing(database);
    const ids = await makeMany(creatorId, 600);
    const progress: [number, number][] = [];

    const result = await scoreSubjects(database, embeddedBackend, ids, {
      onProgress: (done, total) => progress.push([done, total]),
    });

    expect(result).toEqual({ scored: 600, incomplete: 0 });
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.at(-1)).toEqual([600, 600]);
    const [counted] = await database.query<{ scored: number }>(
      'SELECT count(*) AS scored FROM listing WHERE creator_id = $1 AND score_version IS NOT NULL',
      [creatorId],
    );
    expect(counted?.scored).toBe(600);
  });

  it('passes over subjects that have no repository', async () => {
    const { creatorId } = await makeListing(database);

    expect(await scoreSubjects(database, embeddedBackend, [creatorId])).toEqual({ scored: 0, incomplete: 0 });
    expect(await scoreSubjects(database, embeddedBackend, [])).toEqual({ scored: 0, incomplete: 0 });
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

  it('does not ask a remote backend inside a transaction', async () => {
    const { subjectId } = await makeListing(database);
    const backend = createStandIn();

    const work = inTransaction(database, (transaction) => scoreSubjects(transaction, backend, [subjectId]));

    await expect(work).rejects.toThrow(/inside a transaction/);
    expect(backend.calls).toEqual([]);
  });
});

async function makeMany(creatorId: string, count: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `INSERT INTO subject (id, type, name)
     SELECT gen_random_uuid(), 'skill', 'many-' || n FROM generate_series(1, $1::int) n RETURNING id`,
    [count],
  );
  await database.query(
    `INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, category, creator_id, host, repository,
       repository_url, source, search)
     SELECT s.id, gen_random_uuid(), 'AGT-' || lpad(row_number() OVER ()::text, 8, '0'), 'skill', 'skill', s.name, 'other',
       $1, 'github.com', 'many/' || s.name, 'https://github.com/many/' || s.name, 'test', ''
     FROM subject s WHERE s.name LIKE 'many-%'`,
    [creatorId],
  );
  return rows.map(({ id }) => id);
}
