import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { readCurrentScore } from '../../../testing/scoring/read-current-score.ts';
import { usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { ScoreRequest } from '../scoring-backend.ts';
import { type VerdictInput, verdictOf } from '../verdict/verdict.ts';
import { type AcceptedScore, acceptScore } from './accept-score.ts';
import { recordScores } from './score.queries.ts';
import { scoreRow } from './score-evidence.fragment.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  // Sixty concurrent batches wait for few connections. On a slow machine they wait longer than the default timeout.
  test = await createTestDatabase({ acquireTimeoutMs: 60_000 });
  database = test.database;
  await replaceClock(database);
});
beforeEach(() => setClock(database, null));
afterAll(() => test?.close());

function requestFor(subjectId: string): ScoreRequest {
  const vector = GOLDEN_VECTORS[5];
  if (!vector) throw new Error('no vector F');
  const request = scoreRequest(vector.facts, 'agent');
  return { ...request, subject: { ...request.subject, id: subjectId } };
}

function accepted(subjectId: string, trust = 61.5): AcceptedScore {
  const request = requestFor(subjectId);
  return acceptScore(usableScore(request, { trust, lowerBound: Math.min(trust, 41.3) }), request, 'stand-in');
}

const SUBJECT = '0190f5c2-7b1e-7c3a-9d4e-5f60718293a4';

function byMethod(subjectId: string): AcceptedScore {
  const request = requestFor(subjectId);
  return acceptScore(scoreByMethod(request), request, 'embedded');
}

async function makeSubjects(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await makeListing(database)).subjectId);
  return ids;
}

async function versionsOf(subjectId: string): Promise<string[]> {
  const rows = await database.query<{ version: string }>(
    'SELECT utc_text(version) AS version FROM score WHERE subject_id = $1 ORDER BY score.version',
    [subjectId],
  );
  return rows.map(({ version }) => version);
}

async function copyOf(subjectId: string) {
  const [row] = await database.query(
    `SELECT k.trust, k.confidence, k.tier, k.verdict, k.reasons, utc_text(k.score_version) AS version, utc_text(s.current_version) AS current
     FROM listing_rank k JOIN subject s ON s.id = k.subject_id WHERE k.subject_id = $1`,
    [subjectId],
  );
  return row;
}

describe('recordScores', () => {
  it("stores the score, advances the subject and copies the score to its listing, at the database's time", async () => {
    const [subjectId = ''] = await makeSubjects(1);
    await setClock(database, '2026-11-21T12:00:00.123456Z');

    const recorded = await recordScores(database, [accepted(subjectId)]);

    const version = '2026-11-21T12:00:00.123456Z';
    expect(recorded).toEqual([{ subjectId, version }]);
    expect(await versionsOf(subjectId)).toEqual([version]);
    expect(await copyOf(subjectId)).toEqual({
      trust: 61.5,
      confidence: 48.2,
      tier: 'medium',
      // The verdict follows from the facts, whichever backend made the score.
      verdict: 'warning',
      reasons: expect.arrayContaining(['archived']),
      version,
      current: version,
    });
  });

  it.each([
    ['one', 1],
    ['as many as go by COPY', 40],
  ])(
    'keeps the verdict of %s beside the figures, the same that the evidence comes to',
    async (_how, count) => {
      const ids = await makeSubjects(count);

      await recordScores(database, ids.map(byMethod));

      const rows = await database.query<VerdictInput & { verdict: string; reasons: string[] }>(
        `SELECT k.verdict, k.reasons, v.confidence, v.contributions, v.caps, v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt" FROM listing_rank k
       JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version WHERE k.subject_id = ANY ($1::uuid[])`,
        [ids],
      );
      expect(rows).toHaveLength(count);
      for (const { verdict, reasons, ...judged } of rows) {
        expect(reasons.length).toBeGreaterThan(2);
        expect(verdictOf(judged)).toMatchObject({ state: verdict, reasons });
      }
    },
  );

  it('identifies evidence by every column of its content, but not by its verdict or by the time', () => {
    const score = byMethod(SUBJECT);
    const { record } = score;
    const { content } = scoreRow(score);
    const contentWith = (change: object) =>
      scoreRow({ ...score, record: { ...record, ...change } as typeof record }).content;

    const columns = Object.keys(record).filter((name) => name !== 'inputs');
    expect(columns.filter((name) => contentWith({ [name]: ['other'] }) === content)).toEqual([]);
    const { inputs } = record;
    const others = [
      { ...inputs, facts: { ...inputs.facts, stars: null, other: true } },
      { ...inputs, subject: { name: 'other', repository: null } },
    ];
    for (const changed of others) expect(contentWith({ inputs: changed })).not.toBe(content);
    expect(
      contentWith({ freshness: '2026-01-02T00:00:00Z', inputs: { ...inputs, now: '2026-01-02T00:00:00Z' } }),
    ).toBe(
      contentWith({ freshness: '2026-01-01T00:00:00Z', inputs: { ...inputs, now: '2026-01-01T00:00:00Z' } }),
    );
    expect(scoreRow({ ...score, verdict: { ...score.verdict, reasons: [] } }).content).toBe(content);
  });

  it('does not change the date of the listing itself', async () => {
    const [subjectId = ''] = await makeSubjects(1);
    const read = () =>
      database.query('SELECT utc_text(updated_at) AS at FROM listing WHERE subject_id = $1', [subjectId]);
    const before = await read();

    await recordScores(database, [accepted(subjectId)]);

    expect(await read()).toEqual(before);
  });

  it.each(['2026-11-21T12:00:00Z', '2020-01-01T00:00:00Z'])(
    'makes versions strictly increase when the clock stands at %s, after a later one',
    async (standing) => {
      const [subjectId = ''] = await makeSubjects(1);
      await setClock(database, '2026-11-21T12:00:00Z');
      await recordScores(database, [accepted(subjectId)]);
      await setClock(database, standing);

      await recordScores(database, [accepted(subjectId)]);
      await recordScores(database, [accepted(subjectId)]);

      expect(await versionsOf(subjectId)).toEqual([
        '2026-11-21T12:00:00.000000Z',
        '2026-11-21T12:00:00.000001Z',
        '2026-11-21T12:00:00.000002Z',
      ]);
    },
  );

  it('gives racing batches of the same subjects distinct versions, without a deadlock', async () => {
    const ids = await makeSubjects(8);
    const shuffled = (round: number) => ids.map((_, index) => ids[(index * 3 + round) % ids.length] ?? '');
    const rounds = Array.from({ length: 60 }, (_, round) => round);
    await setClock(database, '2026-11-21T12:00:00Z');

    const recorded = await Promise.all(
      rounds.map((round) =>
        recordScores(
          database,
          shuffled(round).map((id) => accepted(id, 1 + round)),
        ),
      ),
    );

    for (const id of ids) {
      const versions = await versionsOf(id);
      const answered = recorded.flat().filter((each) => each.subjectId === id);
      expect(versions).toHaveLength(rounds.length);
      expect(answered.map(({ version }) => version).sort()).toEqual(versions);
      const newest = await readCurrentScore(database, id);
      expect(newest?.version).toBe(versions.at(-1));
      expect(await copyOf(id)).toMatchObject({
        trust: newest?.trust,
        version: newest?.version,
        current: newest?.version,
      });
    }
  });

  it('waits for a subject that another transaction is advancing, and comes after it', async () => {
    const [subjectId = ''] = await makeSubjects(1);
    let second: Promise<unknown> = Promise.resolve();

    const first = await inTransaction(database, async (transaction) => {
      const recorded = await recordScores(transaction, [accepted(subjectId, 10)]);
      second = recordScores(database, [accepted(subjectId, 20)]);
      await untilBlocked(database, second);
      return recorded;
    });
    await second;

    const versions = await versionsOf(subjectId);
    expect(versions).toHaveLength(2);
    expect(versions[0]).toBe(first[0]?.version);
    expect((await readCurrentScore(database, subjectId))?.trust).toBe(20);
  });

  it('stores all of a batch or none of it', async () => {
    const [good = '', other = ''] = await makeSubjects(2);
    const wrongType = { ...accepted(other), subjectType: 'skill' };

    await expect(recordScores(database, [accepted(good), wrongType])).rejects.toThrow();

    expect(await versionsOf(good)).toEqual([]);
    expect(await copyOf(good)).toMatchObject({ trust: null, current: null });
  });

  it('refuses a batch that contains the same subject twice', async () => {
    const [subjectId = ''] = await makeSubjects(1);

    await expect(recordScores(database, [accepted(subjectId), accepted(subjectId)])).rejects.toThrow(/twice/);

    expect(await versionsOf(subjectId)).toEqual([]);
  });

  it('scores an artifact, which has no listing to copy to', async () => {
    const [listingId = ''] = await makeSubjects(1);
    const id = randomUUID();
    await database.query("INSERT INTO subject (id, type, name) VALUES ($1, 'agent', 'part')", [id]);
    await database.query(
      `INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, source)
       VALUES ($1, gen_random_uuid(), $2, 'agent', 'agent', 'part', 'test')`,
      [id, listingId],
    );

    await recordScores(database, [accepted(id)]);

    expect((await readCurrentScore(database, id))?.trust).toBe(61.5);
    expect(await copyOf(listingId)).toMatchObject({ trust: null });
  });

  it('has nothing to do without scores', async () => {
    expect(await recordScores(database, [])).toEqual([]);
  });
});

describe('readCurrentScore', () => {
  it('is null for a subject that was never scored, and for none at all', async () => {
    const [subjectId = ''] = await makeSubjects(1);

    expect(await readCurrentScore(database, subjectId)).toBeNull();
    expect(await readCurrentScore(database, randomUUID())).toBeNull();
  });

  it('gives back all that was recorded, with its validity of seven days', async () => {
    const [subjectId = ''] = await makeSubjects(1);
    await setClock(database, '2026-11-21T12:00:00.000001Z');
    const request = requestFor(subjectId);
    const score = scoreByMethod(request);
    await recordScores(database, [acceptScore(score, request, 'embedded')]);

    const stored = await readCurrentScore(database, subjectId);

    const { subjectType, freshness, ...numbers } = score;
    expect(stored).toEqual({
      ...numbers,
      subjectId,
      subjectType: 'agent',
      source: 'embedded',
      version: '2026-11-21T12:00:00.000001Z',
      expiresAt: '2026-11-28T12:00:00.000001Z',
      freshness: freshness.replace('000Z', '000000Z'),
    });
    expect(stored?.caps).toHaveLength(1);
    expect(stored?.contributions).toHaveLength(20);
  });

  it('keeps the inputs, from which the same score can be made again', async () => {
    const [subjectId = ''] = await makeSubjects(1);
    const request = requestFor(subjectId);
    const score = scoreByMethod(request);
    await recordScores(database, [acceptScore(score, request, 'embedded')]);

    const [row] = await database.query<{ inputs: { now: string; facts: ScoreRequest['facts'] } }>(
      'SELECT inputs FROM score WHERE subject_id = $1',
      [subjectId],
    );
    if (!row) throw new Error('no score');
    const again = scoreByMethod({ ...request, facts: row.inputs.facts, now: new Date(row.inputs.now) });

    expect(again).toEqual(score);
  });
});
