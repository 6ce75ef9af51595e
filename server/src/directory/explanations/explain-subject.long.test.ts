import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { fewerUnlessNightly, sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { type DirectoryWorld, makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { sampleFiles } from '../../intake/import/import-files.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { trackDependencies } from '../../platform/database/tracked-dependencies.ts';
import { recompute } from '../../scoring/batches/recompute.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import { embeddedBackend, scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import { RS_1_0_0 } from '../../scoring/embedded/method-rs-1.0.0.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { compareSubject, explainSubject, listScoreHistory } from './explain-subject.ts';
import { presentDifference, presentExplanation } from './explanation.presenter.ts';

const PUBLIC_URLS = createPublicUrls('https://trust.example');
const TODAY = '2026-11-20T09:00:00Z';
/** Scores by the first method, as a directory did before its upgrade. */
const FORMER: ScoringBackend = {
  ...embeddedBackend,
  score: async (request) => scoreByMethod(request, RS_1_0_0),
  scoreSync: (request) => scoreByMethod(request, RS_1_0_0),
};

/** Imported files. Artifacts take most of the time, and are scored like the repositories of their type. */
const FILES = sampleUnlessNightly(sampleFiles(), (path) => !path.endsWith('artifacts.ndjson'));

let test: ImportWorkspace;
let world: DirectoryWorld;
beforeAll(async () => {
  test = await createImportWorkspace();
  const { database } = test;
  await replaceClock(database);
  world = await makeDirectoryWorld(database);
  await setClock(database, '2026-11-19T09:00:00Z');
  await test.run(FILES, { backend: FORMER });
  const { id: archived } = await makeListing(database, {
    repository: 'acme/archived',
    stars: 5_000,
    forks: 600,
  });
  await database.query(
    `UPDATE listing SET archived = true, metrics_observed_at = ledger_now() WHERE subject_id = $1`,
    [archived],
  );
  await recompute(database, FORMER, { all: true });
  await setClock(database, TODAY);
  await recompute(database, embeddedBackend, { all: true });
}, 300_000);
afterAll(() => test?.close());

const explain = async (id: string, at: string | null = null, connection: Connection = test.database) =>
  presentExplanation(await explainSubject(connection, id, at, PUBLIC_URLS), PUBLIC_URLS);
const compare = async (id: string, from: string | null = null, to: string | null = null) =>
  presentDifference(await compareSubject(test.database, id, { from, to }, PUBLIC_URLS), PUBLIC_URLS);
const sum = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

/** Returns some scored subjects of each type. */
const scoredSubjects = () =>
  test.database.query<{ id: string; type: string }>(
    `SELECT id, type FROM (SELECT id, type, row_number() OVER (PARTITION BY type ORDER BY id) AS n FROM subject
       WHERE current_version IS NOT NULL) s WHERE n <= $1`,
    [fewerUnlessNightly(15, 150)],
  );

describe('the explanation of stored scores of every type', () => {
  it('adds up to trust and confidence, by both methods, with a source of every observation', async () => {
    const subjects = await scoredSubjects();
    const methods = new Set<string | null>();
    let capped = 0;

    for (const { id } of subjects) {
      const { versions } = await listScoreHistory(
        test.database,
        id,
        { cursor: null, limit: 100 },
        PUBLIC_URLS,
      );
      for (const { version } of versions) {
        const { trust, confidence, contributions, caps, extent, method_version } = await explain(id, version);
        const points = sum(contributions.map((each) => each.points)) + (trust?.prior ?? Number.NaN);
        const confidencePoints = sum(contributions.map((each) => each.confidence_points));
        methods.add(method_version);
        capped += caps.length;

        expect(extent).toBe('full');
        expect(Math.abs(points - (trust?.before_caps ?? 0))).toBeLessThanOrEqual(0.1);
        expect(caps.at(-1)?.final ?? trust?.before_caps).toBe(trust?.score);
        expect(Math.abs(confidencePoints - (confidence?.score ?? 0))).toBeLessThanOrEqual(0.1);
        for (const { status, source, reason, observed, value } of contributions) {
          expect(source === null).toBe(status !== 'observed');
          expect(reason === null).toBe(status === 'observed');
          expect([observed === null, value === null]).toEqual([status !== 'observed', status !== 'observed']);
        }
      }
    }

    expect(new Set(subjects.map(({ type }) => type))).toEqual(new Set(SUBJECT_TYPES));
    expect([...methods].sort()).toEqual(['rs-1.0.0', 'rs-2.0.0']);
    expect(subjects.length).toBeGreaterThan(fewerUnlessNightly(40, 300));
    expect(capped).toBeGreaterThan(0);
  });

  it('names three ways up at most, with points, and the most wanted fact', async () => {
    const { improvements, most_wanted_fact } = await explain(world.robot.id);
    const child = await subjectOf('weekly/digest');

    expect((await explain(child)).improvements.map(({ action }) => action)).toContain('claim');
    expect(improvements.length).toBeLessThanOrEqual(3);
    for (const { points, text } of improvements) {
      expect(points).toBeGreaterThan(0);
      expect(text).toMatch(/\.$/);
    }
    expect(most_wanted_fact).toMatchObject({
      confidence_points: expect.any(Number),
      label: expect.any(String),
    });
  });

  it('says where each fact can be checked: the address that was read, or the page that shows it', async () => {
    const { id } = world.robot;
    await test.database.query(
      `INSERT INTO observed_fact (subject_id, fact, source, value, url) VALUES
         ($1, 'contributors', 'github.com', '{"count": 12}', 'https://api.github.com/repos/acme/changelog-agent/contributors')`,
      [id],
    );
    await scoreSubjects(test.database, embeddedBackend, [id]);

    const { contributions } = await explain(id);
    const addressOf = (signal: string) => contributions.find((each) => each.signal === signal)?.address;

    expect(addressOf('contributors')).toBe('https://api.github.com/repos/acme/changelog-agent/contributors');
    expect(addressOf('creator_accounts')).toBe('https://trust.example/c/github.com:acme#accounts');
    expect(addressOf('metadata')).toBe(`https://trust.example/api/agents/${world.robot.agentId}`);
  });

  it('shows no date for a licence that a list states, and counts its evidence as older than it is', async () => {
    const { id } = await makeListing(test.database, { license: 'MIT' });
    const imported = { sources: ['one/list', 'other/list'], metricsSource: 'one/list' };
    await writeListings(
      test.database,
      `UPDATE listing SET imported = $2, open_issues = 0, metrics_observed_at = ledger_now() - interval '180 days'
       WHERE subject_id = $1`,
      [id, JSON.stringify(imported)],
    );
    await scoreSubjects(test.database, embeddedBackend, [id]);

    const { confidence, contributions } = await explain(id);
    const [license, issues] = ['license', 'issue_load'].map((name) =>
      contributions.find(({ signal }) => signal === name),
    );

    expect(license).toMatchObject({
      ...{ status: 'observed', source: 'registry', observed_at: null },
      ages_from: issues?.observed_at,
    });
    expect(issues).toMatchObject({ source: 'one/list', observed_at: expect.any(String) });
    expect(issues).not.toHaveProperty('ages_from');
    const partOf = (each: typeof issues) => (each?.confidence_points ?? 0) / (each?.evidence ?? 1);
    expect(partOf(license)).toBeCloseTo(partOf(issues), 3);
    expect(confidence?.evidence).toBeGreaterThan(0);
  });

  it('is sent in two statements, one more for a listing with relations, and its answer may be cached', async () => {
    const { connection, record } = trackDependencies(test.database);
    const { id } = await makeListing(test.database);

    await explain(id, null, connection);
    const statements = [record.statements];
    await explain(world.robot.id, null, connection);
    statements.push(record.statements);

    expect(statements).toEqual([2, 5]);
    expect(record.uncacheableReason).toBeNull();
    expect(record.ids.has(world.robot.id)).toBe(true);
  });

  it('of an earlier score is that of the score at this time, without advice', async () => {
    const { version } = await newest(world.robot.id, 2);

    const [exact, between] = [
      await explain(world.robot.id, version),
      await explain(world.robot.id, '2026-08-01T00:00:00Z'),
    ];

    expect(exact).toMatchObject({ score_version: version, current: false, improvements: [] });
    expect(between.score_version).toBe('2026-07-15T08:00:00.000000Z');
    expect(await refusal(explain(world.robot.id, '2020-01-01T00:00:00Z'))).toBe(
      'not_found: This subject had no score at 2020-01-01T00:00:00Z. The history lists the times of its scores.',
    );
  });

  it('says that there is no score, no subject, or no longer a subject', async () => {
    const unscored = await makeCreator(test.database);
    const delisted = await makeListing(test.database, { repository: 'gone/away' });
    await delistListing(test.database, { text: delisted.id, reason: 'asked for', publicUrls: PUBLIC_URLS });

    expect(await explain(unscored.id)).toMatchObject({ score_version: null, trust: null, extent: 'none' });
    expect(await refusal(explain(randomUUID()))).toMatch(/^subject_not_found/);
    expect(await refusal(explain(delisted.id))).toMatch(/^gone/);
    expect(await refusal(compare(unscored.id))).toBe('not_found: This subject has no confirmed score yet.');
  });

  it('of a score by another backend is as full as the backend was', async () => {
    const listing = await makeListing(test.database, { repository: 'acme/elsewhere' });
    const id = await makeArtifact(test.database, listing, { name: 'notes' });
    const told = {
      weight: 1,
      value: 1,
      evidence: 1,
      status: 'observed',
      source: null,
      observedAt: null,
      reason: null,
    };
    await storeScore(id, { trust: 60, contributions: [{ ...told, signal: 'house_style', points: 22 }] });

    const explained = await explain(id);

    expect(explained).toMatchObject({
      extent: 'partial',
      source: 'scores.example',
      trust: { prior: null, unexplained: 38 },
      confidence: { score: 48, evidence: null },
      contributions: [{ signal: 'house_style', label: 'house style', confidence_points: null }],
      improvements: [],
    });
    expect(explained.note).toBe(
      'scores.example made this score by its method house-3. It named 1 signal, but 38 points of trust are not explained.',
    );
  });
});

describe('the history of a score', () => {
  it('lists every version once, newest first, over any pages, while new scores are made', async () => {
    const { id } = await makeListing(test.database, { repository: 'acme/often-scored' });
    for (let at = 0; at < 7; at += 1) await storeScore(id, { trust: 40 + at });
    const all = (await history(id, null, 100)).versions.map(({ version }) => version);

    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await history(id, cursor, 2);
      read.push(...page.versions.map(({ version }) => version));
      cursor = page.nextCursor;
      await storeScore(id, { trust: 30 });
    } while (cursor !== null);

    expect(read).toEqual(all);
    expect(read).toEqual([...read].sort().reverse());
    expect(read).toHaveLength(7);
  });

  it('refuses a cursor of another subject', async () => {
    const { id } = world.robot;
    const { nextCursor } = await history(id, null, 1);
    const other = await subjectOf('weekly/digest');

    expect(await refusal(history(other, nextCursor, 1))).toMatch(/^invalid_request: cursor does not belong/);
    for (const cursor of [
      'W10',
      'abc',
      Buffer.from(`["${id}","2026-02-31T00:00:00.000000Z"]`).toString('base64url'),
    ])
      expect(await refusal(history(id, cursor, 1))).toMatch(/^invalid_request: cursor does not belong/);
  });
});

describe('the difference of two stored scores', () => {
  it('adds up by signal and by cause, for every type and over the change of the method', async () => {
    const causes = { facts: 0, method: 0, time: 0 };

    for (const { id } of await scoredSubjects()) {
      const [last] = (await history(id, null, 100)).versions.slice(-1);
      const { trust, confidence, signals, prior, caps, note } = await compare(id, last?.version ?? null);
      const all = [...signals.map(({ points }) => points), ...(prior === null ? [] : [prior]), caps];

      expect(note).toBeNull();
      expect(Math.abs(sum(all.map(({ change }) => change)) - trust.change)).toBeLessThanOrEqual(0.1);
      for (const { change, causes: parts } of [trust, confidence, ...all])
        expect(Math.abs(sum(Object.values(parts ?? {})) - change)).toBeLessThanOrEqual(0.1);
      for (const cause of ['facts', 'method', 'time'] as const) {
        const parts = all.map(({ causes: each }) => each?.[cause] ?? Number.NaN);
        expect(Math.abs(sum(parts) - (trust.causes?.[cause] ?? Number.NaN))).toBeLessThanOrEqual(0.1);
        causes[cause] += Math.abs(trust.causes?.[cause] ?? 0);
      }
    }

    for (const total of Object.values(causes)) expect(total).toBeGreaterThan(0);
  });

  it('names what changed in the world: the stars that were read anew', async () => {
    const difference = await compare(world.robot.id, '2026-07-15T08:00:00Z', '2026-09-28T08:00:00Z');

    const stars = difference.signals.find(({ signal }) => signal === 'stars');
    expect(stars?.points.causes?.facts).toBeGreaterThan(0);
    expect([stars?.before?.observed, stars?.after?.observed]).toEqual(['560', '700']);
    expect(difference.summary).toMatch(/^Trust rose by .* because facts changed/);
  });

  it('is that of the last two scores by default, and nothing where there is one', async () => {
    const [now, before] = (await history(world.robot.id, null, 2)).versions;
    const { id } = await makeListing(test.database, { repository: 'acme/scored-once' });
    await storeScore(id, { trust: 44 });

    const [difference, once] = [await compare(world.robot.id), await compare(id)];

    expect([difference.from.score_version, difference.to.score_version]).toEqual([
      before?.version,
      now?.version,
    ]);
    expect(once).toMatchObject({ trust: { change: 0 }, summary: expect.stringContaining('Trust is 44.0') });
  });

  it('says why scores of another backend are not split, and refuses times in the wrong order', async () => {
    const { id } = await makeListing(test.database, { repository: 'acme/remote' });
    await storeScore(id, { trust: 44 });
    await storeScore(id, { trust: 54 });

    const { trust, note, prior } = await compare(id);

    expect({ trust, prior }).toEqual({
      trust: { before: 44, after: 54, change: 10, causes: null },
      prior: null,
    });
    expect(note).toContain('cannot be told apart');
    expect(await refusal(compare(world.robot.id, TODAY, '2026-07-15T08:00:00Z'))).toBe(
      'invalid_request: from must not be after to.',
    );
  });
});

const history = (id: string, cursor: string | null, limit: number) =>
  listScoreHistory(test.database, id, { cursor, limit }, PUBLIC_URLS);

async function newest(id: string, place: number): Promise<{ version: string }> {
  const version = (await history(id, null, 10)).versions[place];
  if (version === undefined) throw new Error('there are not so many scores');
  return version;
}

async function subjectOf(repository: string): Promise<string> {
  const [row] = await test.database.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE repository = $1',
    [repository],
  );
  return row?.id ?? '';
}

/** Stores a score that another backend made, without facts. */
async function storeScore(
  id: string,
  { trust, contributions = [] }: { trust: number; contributions?: object[] },
) {
  await test.database.query(
    `WITH advanced AS (UPDATE subject SET current_version = greatest(ledger_now(), current_version + interval '1 second')
       WHERE id = $1 RETURNING id, type, current_version),
     evidence AS (INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
         own_trust, own_confidence, source, method_version, freshness, contributions)
       SELECT id, gen_random_uuid(), type, $2, 48, 30, 'medium', 'partial', $2, 48, 'scores.example', 'house-3', ledger_now(), $3
       FROM advanced RETURNING subject_id, content)
     INSERT INTO score_version (subject_id, version, content)
     SELECT e.subject_id, a.current_version, e.content FROM evidence e JOIN advanced a ON a.id = e.subject_id`,
    [id, trust, JSON.stringify(contributions)],
  );
}
