import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeListing } from '../../../testing/factories.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { acceptScore } from '../scores/accept-score.ts';
import { recordScores } from '../scores/score.queries.ts';
import { REPOSITORY_FACTS } from './repository-facts.queries.ts';

const NOW = '2026-11-21T12:00:00.123Z';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
  await setClock(database, NOW);
});
afterAll(() => test?.close());

async function change(
  table: 'listing' | 'creator',
  id: string,
  columns: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
  await writeListings(database, `UPDATE ${table} SET ${names.join(', ')} WHERE subject_id = $1`, [
    id,
    ...Object.values(columns),
  ]);
}

async function makeArtifact(
  listingId: string,
  columns: { kind?: string; path?: string | null; npmPackage?: string | null } = {},
): Promise<string> {
  const { kind = 'skill', path = 'skills/one', npmPackage = null } = columns;
  const id = randomUUID();
  await database.query("INSERT INTO subject (id, type, name) VALUES ($1, 'skill', 'one')", [id]);
  await database.query(
    `INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, path, npm_package, description, source)
     VALUES ($1, gen_random_uuid(), $2, 'skill', $3, $6, $4, $5, 'One thing inside', 'test')`,
    [id, listingId, kind, path, npmPackage, `one-${id}`],
  );
  return id;
}

async function factsOf(id: string, connection: Connection = database) {
  const loaded = (await REPOSITORY_FACTS.load(connection, [id])).get(id);
  if (!loaded) throw new Error(`no facts of ${id}`);
  return loaded;
}

describe('facts of a listing', () => {
  it("are read as of the database's clock, with the subject as the registry knows it", async () => {
    const listing = await makeListing(database, { type: 'skill' });

    const { subject, now } = await factsOf(listing.subjectId);

    expect(subject).toEqual({
      id: listing.subjectId,
      type: 'skill',
      name: listing.repository.split('/')[1],
      repository: listing.repository,
    });
    expect(now.toISOString()).toBe(NOW);
  });

  it('are the columns with the moments of their observation', async () => {
    const { subjectId } = await makeListing(database);
    await change('listing', subjectId, {
      stars: 9_007_199_254_740_991,
      forks: 0,
      open_issues: null,
      homepage: 'https://example.org',
      archived: false,
      verified: true,
      last_commit_at: '2026-08-20T10:11:12.345678Z',
      repository_created_at: '2025-01-01T00:00:00Z',
      metrics_observed_at: '2026-08-22T00:00:00Z',
      updated_at: '2026-11-01T00:00:00Z',
      imported: JSON.stringify({ metricsSource: 'some/list' }),
    });

    const { facts } = await factsOf(subjectId);

    const reading = { observedAt: '2026-08-22T00:00:00.000000Z', source: 'some/list' };
    const registry = { observedAt: '2026-11-01T00:00:00.000000Z', source: 'registry' };
    expect(facts).toEqual({
      verified: { value: true, ...registry },
      creatorAccounts: null,
      creatorAccountCreatedAt: null,
      repositoryCreatedAt: '2025-01-01T00:00:00.000000Z',
      archived: false,
      deprecated: null,
      lastCommitAt: { value: '2026-08-20T10:11:12.345678Z', ...reading },
      openIssues: null,
      stars: { value: 9_007_199_254_740_991, ...reading },
      forks: { value: 0, ...reading },
      monthlyDownloads: null,
      license: { value: 'MIT', ...reading },
      metadata: {
        value: { description: true, tags: true, category: true, homepage: true, skillManifest: null },
        ...registry,
      },
      parents: [],
    });
  });

  it.each([
    ['the only list', { sources: ['some/list'], metricsSource: 'some/list' }, 'some/list'],
    [
      'no list, because several may state it',
      { sources: ['a/list', 'b/list'], metricsSource: 'a/list' },
      'registry',
    ],
    [
      'no list, if the figures are from elsewhere',
      { sources: ['a/list'], metricsSource: 'b/list' },
      'registry',
    ],
    ['the list of the figures, if none is recorded', { sources: null, metricsSource: 'b/list' }, 'b/list'],
  ])('name as source of a licence %s', async (_, imported, source) => {
    const { subjectId } = await makeListing(database);
    await change('listing', subjectId, { imported: JSON.stringify(imported) });

    expect((await factsOf(subjectId)).facts.license?.source).toBe(source);
  });

  it('name the host as source of a licence that was read there, and take what it lacks for absent', async () => {
    const { subjectId } = await makeListing(database);
    const at = '2026-08-22T00:00:00Z';
    await change('listing', subjectId, {
      metrics_observed_at: at,
      imported: JSON.stringify({ sources: ['a/list'] }),
    });
    const homepage = async () => (await factsOf(subjectId)).facts.metadata?.value.homepage;
    const unread = await homepage();
    const checked = 'INSERT INTO repository_refresh (listing_id, confirmed_at) VALUES ($1, $2)';
    await database.query(checked, [subjectId, at]);

    expect((await factsOf(subjectId)).facts.license?.source).toBe('github.com');
    expect([unread, await homepage()]).toEqual([null, false]);
  });

  it('hold the downloads of a package that is confirmed for it alone', async () => {
    const { subjectId } = await makeListing(database, { type: 'skill' });
    const other = await makeListing(database, { type: 'skill' });
    await change('listing', subjectId, { npm_package: 'https', npm_monthly_downloads: 5_000 });
    await change('listing', other.subjectId, { npm_package: 'https' });
    const downloads = async () => (await factsOf(subjectId)).facts.monthlyDownloads?.value ?? null;

    const unconfirmed = await downloads();
    await change('listing', subjectId, { npm_confirmed: true });
    const confirmed = await downloads();
    await change('listing', other.subjectId, { npm_confirmed: true });
    const shared = await downloads();

    expect([unconfirmed, confirmed, shared]).toEqual([null, 5_000, null]);
  });

  it.each(['npm', 'pypi'])(
    'hold malware in a package of %s that a second listing has, too',
    async (registry) => {
      const listings = [
        await makeListing(database, { type: 'agent' }),
        await makeListing(database, { type: 'agent' }),
      ];
      const name = `bad-${registry}`;
      const standing = { ecosystem: registry, name, malwareVersions: ['1.0.0'], vulnerabilities: [] };
      for (const { subjectId } of listings) {
        await change('listing', subjectId, {
          [`${registry}_package`]: name,
          [`${registry}_confirmed`]: true,
        });
        await database.query(
          `INSERT INTO observed_fact (subject_id, fact, source, value, url)
           VALUES ($1, 'package_standing', 'osv', $2::jsonb, 'https://osv.dev/')`,
          [subjectId, JSON.stringify(standing)],
        );
      }

      for (const { subjectId } of listings)
        expect((await factsOf(subjectId)).facts.observed).toMatchObject([{ value: standing }]);
    },
  );

  it('know a skill manifest where a skill file with a path is known inside', async () => {
    const withPath = await makeListing(database, { type: 'skill' });
    const withoutPath = await makeListing(database, { type: 'skill' });
    const plugin = await makeListing(database, { type: 'skill' });
    await makeArtifact(withPath.subjectId);
    await makeArtifact(withoutPath.subjectId, { path: null });
    await makeArtifact(plugin.subjectId, { kind: 'plugin' });

    const manifests = await Promise.all(
      [withPath, withoutPath, plugin].map(
        async ({ subjectId }) => (await factsOf(subjectId)).facts.metadata?.value,
      ),
    );

    expect(manifests.map((metadata) => metadata?.skillManifest)).toEqual([true, null, null]);
  });

  it.each([
    [true, { repoHost: true, nodePackages: false, pythonPackages: false, professionalNetwork: false }],
    [false, undefined],
    [null, undefined],
  ])('read the imported registry namespace %j', async (mcpRegistryGithubNamespace, expected) => {
    const { subjectId, creatorId } = await makeListing(database);
    await change('creator', creatorId, { imported: JSON.stringify({ mcpRegistryGithubNamespace }) });

    expect((await factsOf(subjectId)).facts.creatorAccounts?.value).toEqual(expected);
  });

  it('observe that a creator with an account here has proved nothing yet', async () => {
    const { subjectId, creatorId } = await makeListing(database);
    const { accountId } = await makeAccount(database);
    await database.query('UPDATE creator SET account_id = NULL WHERE account_id = $1', [accountId]);
    await change('creator', creatorId, { account_id: accountId });

    expect((await factsOf(subjectId)).facts.creatorAccounts?.value.repoHost).toBe(false);
  });

  it('are given for listings and artifacts only', async () => {
    const { subjectId, creatorId } = await makeListing(database);

    const loaded = await REPOSITORY_FACTS.load(database, [creatorId, subjectId, randomUUID()]);

    expect([...loaded.keys()]).toEqual([subjectId]);
    expect((await REPOSITORY_FACTS.load(database, [])).size).toBe(0);
  });
});

describe('facts of an artifact', () => {
  it("are its repository's, with its own texts, and have no lineage", async () => {
    const { subjectId, repository } = await makeListing(database, { stars: 77 });
    const parent = await makeListing(database);
    await change('listing', subjectId, {
      parent_id: parent.subjectId,
      parent_relation: 'fork_of',
      parent_stated: true,
      homepage: 'https://example.org',
    });
    const id = await makeArtifact(subjectId);

    const { subject, facts } = await factsOf(id);

    expect(subject).toEqual({ id, type: 'skill', name: 'one', repository });
    expect(facts.stars?.value).toBe(77);
    expect(facts.license?.value).toBe('MIT');
    expect(facts.parents).toEqual([]);
    expect(facts.metadata?.value).toEqual({
      description: true,
      tags: null,
      category: null,
      homepage: null,
      skillManifest: true,
    });
  });

  it('hold the downloads of its own package, not those of another in the repository', async () => {
    const { subjectId } = await makeListing(database);
    await change('listing', subjectId, {
      npm_package: 'whole',
      npm_confirmed: true,
      npm_monthly_downloads: 300,
    });
    const same = await makeArtifact(subjectId, { npmPackage: 'whole' });
    const other = await makeArtifact(subjectId, { npmPackage: 'part' });
    const none = await makeArtifact(subjectId);

    const downloads = await Promise.all(
      [same, other, none].map(async (id) => (await factsOf(id)).facts.monthlyDownloads?.value ?? null),
    );

    expect(downloads).toEqual([300, null, null]);
  });
});

describe('further facts', () => {
  async function observe(subjectId: string, fact: string, value: unknown, source = 'test'): Promise<void> {
    await database.query(
      `INSERT INTO observed_fact (subject_id, fact, source, value, url) VALUES ($1, $2, $3, $4, 'https://example.org')`,
      [subjectId, fact, source, JSON.stringify(value)],
    );
  }

  it('are those that scores use, with their time and source, by name and source', async () => {
    const { subjectId } = await makeListing(database);
    await change('listing', subjectId, {
      imported: JSON.stringify({
        sources: ['acme/list', 'modelcontextprotocol/registry', 'joelverhagen/mcp-insights'],
      }),
    });
    await observe(subjectId, 'releases', { count: 3, latestAt: null });
    await observe(subjectId, 'contributors', { count: 7 }, 'z');
    await observe(subjectId, 'contributors', { count: 8 }, 'a');
    await observe(subjectId, 'manifest', { packages: [] });

    const { facts } = await factsOf(subjectId);

    const observedAt = '2026-11-21T12:00:00.123000Z';
    expect(facts.lists?.value).toBe(2);
    expect(facts.observed).toEqual([
      { fact: 'contributors', value: { count: 8 }, observedAt, source: 'a' },
      { fact: 'contributors', value: { count: 7 }, observedAt, source: 'z' },
      { fact: 'releases', value: { count: 3, latestAt: null }, observedAt, source: 'test' },
    ]);
  });

  it('are absent where nothing is known', async () => {
    const { subjectId } = await makeListing(database);

    const { facts } = await factsOf(subjectId);

    expect(facts).not.toHaveProperty('observed');
    expect(facts).not.toHaveProperty('packageConfirmed');
    expect(facts).not.toHaveProperty('lists');
  });

  it('about a package belong to the artifact that is published as it, and need its confirmation', async () => {
    const { subjectId } = await makeListing(database);
    await observe(subjectId, 'package_standing', { name: 'entire', published: 'not_affected' });
    await observe(subjectId, 'releases', { count: 3, latestAt: null });
    const same = await makeArtifact(subjectId, { npmPackage: 'entire' });
    const other = await makeArtifact(subjectId, { npmPackage: 'part' });
    const names = async (id: string) => (await factsOf(id)).facts.observed?.map(({ fact }) => fact);

    expect(await names(subjectId)).toEqual(['releases']);
    await change('listing', subjectId, { npm_package: 'entire', npm_confirmed: true });

    expect(await names(subjectId)).toEqual(['package_standing', 'releases']);
    expect(await names(same)).toEqual(['package_standing', 'releases']);
    expect(await names(other)).toEqual(['releases']);
  });

  it('are found by the primary key, in one index look-up per subject', async () => {
    const plan = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT ${REPOSITORY_FACTS.sql.columns} FROM subject s ${REPOSITORY_FACTS.sql.tables} WHERE s.id = $1`,
      [randomUUID()],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');

    expect(text.match(/ on observed_fact/g)).toHaveLength(1);
    expect(text).toMatch(/Index (Only )?Scan using observed_fact_pkey|Bitmap Heap Scan on observed_fact/);
  });
});

describe('facts of a child', () => {
  async function makeChild(parentId: string, columns: Record<string, unknown> = {}): Promise<string> {
    const { subjectId } = await makeListing(database);
    const edge = { parent_id: parentId, parent_relation: 'fork_of', parent_stated: true };
    await change('listing', subjectId, { ...edge, ...columns });
    return subjectId;
  }

  it("hold the parent's current score without its own lineage", async () => {
    const parent = await makeListing(database);
    const child = await makeChild(parent.subjectId);
    const before = await factsOf(child);
    const { subject, facts, now } = await factsOf(parent.subjectId);
    const request = { operation: 'agent_score', runId: null, subject, facts, now };
    const scored = (own: number) =>
      acceptScore(usableScore(request, { ownTrust: own, ownConfidence: own - 1 }), request, 'test');
    await recordScores(database, [scored(20)]);
    const [recorded] = await recordScores(database, [scored(50)]);

    const after = await factsOf(child);

    expect(before.facts.parents).toEqual([{ id: parent.subjectId, score: null, acknowledged: false }]);
    expect(after.facts.parents).toEqual([
      {
        id: parent.subjectId,
        score: { ownTrust: 50, ownConfidence: 49, version: recorded?.version },
        acknowledged: false,
      },
    ]);
  });

  it('count an edge in full that the parent acknowledged or that stays with one creator', async () => {
    const parent = await makeListing(database);
    await change('listing', parent.subjectId, { verified: true });
    const claimed = await makeChild(parent.subjectId);
    const acknowledged = await makeChild(parent.subjectId, { parent_acknowledged_at: NOW });
    const own = await makeChild(parent.subjectId, { creator_id: parent.creatorId, verified: true });

    const counted = await Promise.all(
      [claimed, acknowledged, own].map(async (id) => (await factsOf(id)).facts.parents[0]?.acknowledged),
    );

    expect(counted).toEqual([false, true, true]);
  });
});
