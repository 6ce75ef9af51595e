import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { allRows, storeFormerWords } from '../../../testing/directory/stored-rows.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, listing, relation } from '../../../testing/import/rows.ts';
import { countListings } from '../../catalog/listings/refresh-vocabulary.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Database } from '../../platform/database/connect.ts';
import { recompute } from '../../scoring/batches/recompute.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import { getAgentLineage } from '../agents/get-agent.ts';
import { getIdentity } from '../get-identity.ts';
import { listAgents } from '../lists/list-agents.ts';
import { delistListing } from './delist-listing.ts';
import { listDelistings, relistListing } from './relist-listing.ts';
import { TOMBSTONE_TABLES } from './tombstone.queries.ts';

const publicUrls = createPublicUrls('https://trust.example');
const ROBOT = listing('acme/robot', {
  githubRepoId: '7',
  npmPackage: '@acme/robot',
  stars: 1200,
  license: 'MIT',
  formerRepositories: ['acme/old-robot'],
  parentRepository: 'acme/base',
  parentRelation: 'fork_of',
});
const ROWS = [
  listing('acme/base', { stars: 90 }),
  ROBOT,
  listing('other/child', { stars: 5 }),
  listing('other/grandchild', { stars: 6 }),
  artifact('acme/robot', 'maps', { npmPackage: 'acme-maps' }),
  relation('fork_of', 'other/child', 'acme/robot'),
  relation('fork_of', 'other/grandchild', 'other/child'),
];

let work: ImportWorkspace;
let database: Database;

beforeEach(async () => {
  work = await createImportWorkspace({ imported: ROWS });
  database = work.database;
});
afterEach(() => work.close());

const delist = (text = 'acme/robot', reason = 'It was spam') =>
  delistListing(database, { text, reason, publicUrls });
const relist = (text = 'acme/robot') => relistListing(database, text, publicUrls);
const resolve = (text: string) => resolveSubject(database, REPOSITORY_TYPES, text, publicUrls);
const NO_FILTERS = { verified: null, tier: null, category: null };

async function repositories(q: string | null = null): Promise<string[]> {
  const { agents, total } = await listAgents(database, {
    ...NO_FILTERS,
    q,
    sort: 'name',
    limit: 100,
    offset: 0,
    cursor: null,
  });
  expect(total).toBe(agents.length);
  return agents.map(({ repositoryUrl }) => repositoryUrl.replace('https://github.com/', '')).sort();
}

describe('a delisted listing', () => {
  it('disappears from lists, totals, search, lineage and its creator’s portfolio', async () => {
    const { id } = await resolve('acme/robot');
    const before = await getIdentity(database, 'acme', publicUrls);

    await delist();

    const left = ['acme/base', 'other/child', 'other/grandchild'];
    expect(await repositories()).toEqual(left);
    expect(await repositories('robot')).toEqual([]);
    expect(await countListings(database)).toBe(3);
    const base = await getAgentLineage(database, (await resolve('acme/base')).agentId ?? '');
    expect(base.descendants).toEqual([]);
    const child = await getAgentLineage(database, (await resolve('other/child')).agentId ?? '');
    expect(child.ancestors).toEqual([]);
    expect(child.descendants.map(({ record }) => record.name)).toEqual(['grandchild']);
    expect((await getIdentity(database, 'acme', publicUrls)).listingCount).toBe(before.listingCount - 1);
    const due = await database.query<{ id: string }>('SELECT subject_id AS id FROM score_due');
    expect(due.map((row) => row.id)).not.toContain(id);
    expect(due.map((row) => row.id)).toContain((await resolve('other/child')).id);
  });

  it('is gone, with date and reason, under every name of it and of its artifacts', async () => {
    const { id, agentId } = await resolve('acme/robot');
    const inside = await resolve('acme/robot#maps');

    await delist('AGT-'.concat(agentId?.slice(4).toLowerCase() ?? ''), '  It was spam ');

    const texts = [
      id,
      agentId,
      'ACME/robot',
      'git@github.com:acme/robot.git',
      'acme/old-robot',
      '@acme/robot',
    ];
    texts.push(`/s/id/${agentId}`, '/s/acme/robot', 'acme/robot#maps', inside.id, 'npm:acme-maps', 'robot');
    for (const text of texts) {
      await expect(resolve(text ?? ''), `${text}`).rejects.toMatchObject({
        code: 'gone',
        message: expect.stringMatching(
          /^github\.com\/acme\/robot was removed by the operator of this directory on \d{4}-\d\d-\d\d: It was spam\.$/,
        ),
      });
    }
    await expect(getAgentLineage(database, agentId ?? '')).rejects.toMatchObject({ code: 'gone' });
    await expect(delist()).rejects.toMatchObject({ code: 'gone' });
  });

  itAtNight('yields a display name to a listed subject', async () => {
    await work.store(listing('third/robot'));

    await delist();

    expect(await resolve('robot')).toMatchObject({ repository: 'third/robot' });
  });

  it('is not added again by an import, under its name, id, a new name or as a parent', async () => {
    await delist();
    const before = await repositories();

    const again = await work.store(...ROWS);
    const renamed = await work.store(
      { ...ROBOT, name: 'New', repository: 'acme/new', repoUrl: 'https://github.com/acme/new' },
      listing('acme/newest', { formerRepositories: ['acme/robot'] }),
    );

    expect(again.kinds.listing).toMatchObject({ added: 0, rejected: 1 });
    expect(renamed.kinds.listing).toMatchObject({ added: 0, rejected: 2 });
    const [reject] = await work.rejects();
    expect(reject).toMatchObject({ code: 'delisted', reason: expect.stringContaining('operator') });
    expect(await repositories()).toEqual(before);
    await expect(resolve('acme/robot')).rejects.toMatchObject({ code: 'gone' });
  });

  itAtNight('does not block another repository of the same name with another id', async () => {
    await delist();

    await work.store(listing('acme/robot', { githubRepoId: '8' }));

    expect(await resolve('acme/robot')).toMatchObject({ repository: 'acme/robot' });
    await expect(relist()).rejects.toMatchObject({ code: 'already_registered' });
  });

  itAtNight('is not scored again and does not delay a recompute', async () => {
    await delist();
    await recompute(database, embeddedBackend);

    expect(await recompute(database, embeddedBackend, { all: true })).toMatchObject({
      finished: true,
      incomplete: 0,
      failed: 0,
      scored: 5,
    });
  });

  itAtNight('requires a reason of one line', async () => {
    for (const reason of ['', '   ', 'two\nlines', 'x'.repeat(501)]) {
      await expect(delist('acme/robot', reason), reason).rejects.toMatchObject({ code: 'invalid_request' });
      expect((await resolve('acme/robot')).agentId).not.toBeNull();
    }
  });

  itAtNight('must be a whole repository, not an artifact', async () => {
    await expect(delist('acme/robot#maps')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(delist('acme/nothing')).rejects.toMatchObject({ code: 'subject_not_found' });
  });

  itAtNight('leaves a shared package to the other listing that claims it', async () => {
    await work.store(listing('fork/robot', { npmPackage: '@acme/robot' }));
    await expect(resolve('npm:@acme/robot')).rejects.toMatchObject({ code: 'subject_not_found' });

    await delist();

    expect(await resolve('npm:@acme/robot')).toMatchObject({ repository: 'fork/robot' });
    await relist();
    await expect(resolve('npm:@acme/robot')).rejects.toMatchObject({ code: 'subject_not_found' });
  });
});

describe('a relisted listing', () => {
  it('has rows in no table that the tombstone leaves out', async () => {
    const found = await database.query<{ name: string }>(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE contype = 'f' AND confrelid = 'listing'::regclass`,
    );

    // Search words and sort rows are derived again, the ranking row follows the current score, and the refresh job
    // schedules the readings of other sources again.
    const derived = ['listing_words', 'listing_rank', 'listing_order', 'source_reading'];
    const hanging = found.map(({ name }) => name).filter((name) => !derived.includes(name));
    expect([...TOMBSTONE_TABLES].sort()).toEqual(expect.arrayContaining(hanging.sort()));
  });

  it('has the same columns, aliases, artifacts, history and lineage as before', async () => {
    await storeFormerWords(database);
    await database.query(
      `UPDATE listing SET parent_acknowledged_at = '2026-01-01T00:00:00.123456Z' WHERE parent_id IS NOT NULL`,
    );
    const robot = await resolve('acme/robot');
    const other = await resolve('other/child');
    await database.query(
      `INSERT INTO listing_creator_history (listing_id, creator_id)
       SELECT $1, creator_id FROM listing WHERE subject_id = $2`,
      [robot.id, other.id],
    );
    const before = await allRows(database);
    await delist();
    expect(await allRows(database)).not.toEqual(before);

    await relist();

    expect(await allRows(database)).toEqual(before);
    expect(await resolve('acme/old-robot')).toEqual(robot);
  });

  itAtNight('resolves by its id, keeps its delisting history, and can be delisted again', async () => {
    const { agentId } = await resolve('acme/robot');
    await delist();
    await relist(agentId ?? '');
    await delist('acme/robot', 'Again');

    const delistings = await listDelistings(database);

    expect(delistings).toMatchObject([
      { agentId, reason: 'Again', relistedOn: null },
      { agentId, reason: 'It was spam', relistedOn: expect.any(String) },
    ]);
    await expect(relist('acme/nothing')).rejects.toMatchObject({ code: 'subject_not_found' });
  });

  itAtNight('rejoins its family, whatever changed meanwhile', async () => {
    await delist('other/child');
    await delist();
    await work.store(relation('fork_of', 'other/grandchild', 'acme/robot'));
    await relist();
    await relist('other/child');

    const base = await getAgentLineage(database, (await resolve('acme/base')).agentId ?? '');
    const { agentId: robot } = await resolve('acme/robot');

    const family = base.descendants.map(({ record, parentId }) => [record.name, parentId]);
    expect(new Map(family as [string, string][])).toEqual(
      new Map([
        ['robot', base.root.agentId],
        ['child', robot],
        ['grandchild', robot],
      ]),
    );
  });

  it('shows a score that a concurrent call stored while it was being delisted', async () => {
    const { id } = await resolve('acme/robot');
    await delist();
    await database.query(
      `WITH e AS (INSERT INTO score_evidence
         SELECT subject_id, gen_random_uuid(), subject_type, 77, 66, 40, 'medium', status, own_trust, own_confidence,
           coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps
         FROM score WHERE subject_id = $1 LIMIT 1 RETURNING subject_id, content),
       v AS (INSERT INTO score_version SELECT subject_id, '2030-01-01T00:00:00Z', content FROM e RETURNING version)
       UPDATE subject SET current_version = v.version FROM v WHERE id = $1`,
      [id],
    );

    await relist();

    const ranked = 'SELECT trust, tier, verdict FROM listing_rank WHERE subject_id = $1';
    expect(await database.query(ranked, [id])).toEqual([
      { trust: 77, tier: 'medium', verdict: 'well_evidenced' },
    ]);
  });

  itAtNight('belongs to the creator that its own was merged into', async () => {
    await delist();
    await database.query(
      `UPDATE creator SET merged_into = (SELECT subject_id FROM creator WHERE handle = 'other') WHERE handle = 'acme'`,
    );

    await relist();

    const [row] = await database.query(
      `SELECT c.handle FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.repository = 'acme/robot'`,
    );
    expect(row).toEqual({ handle: 'other' });
  });
});
