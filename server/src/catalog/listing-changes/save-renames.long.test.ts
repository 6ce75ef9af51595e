import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { rowVersions } from '../../../testing/import/registry-state.ts';
import { artifact, listing, type Row, relation } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { getAgent, getAgentLineage } from '../../directory/agents/get-agent.ts';
import { updateListingCopies } from '../listings/write-listings.ts';
import { createPublicUrls } from '../subjects/public-path.ts';
import { loadSubjects } from '../subjects/subject.presenter.ts';

let work: ImportWorkspace;
const { found, lead, one } = importQueriesOf(() => work);
const publicUrls = createPublicUrls('http://directory.example');

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

interface Ids {
  id: string;
  agentId: string;
}

const idsOf = (repository: string) =>
  one<Ids>('SELECT subject_id AS id, agent_id AS "agentId" FROM listing WHERE repository = $1', repository);

/** Statements that `acme/old` is called `acme/new` now, as an entry or as a relation. */
const STATEMENTS: readonly (readonly [string, Row])[] = [
  ['the entry of the new name', listing('acme/new', { formerRepositories: ['acme/old'] })],
  ['a relation', relation('renamed_to', 'acme/old', 'acme/new')],
];

describe('listings of one repository under two names', () => {
  it.each(sampleUnlessNightly(STATEMENTS, (_, at) => at === 0))(
    'become one when %s states the rename; the former ids go on answering',
    async (_by, statement) => {
      await work.store(listing('acme/old', { description: 'Unmistakable text.' }), listing('acme/new'));
      const [old, now] = [await idsOf('acme/old'), await idsOf('acme/new')];

      await work.store(statement);

      for (const name of [old.id, old.agentId, 'acme/old', 'https://github.com/acme/old'])
        expect(await lead(name)).toBe('acme/new');
      expect(await idsOf('acme/new')).toEqual(now);
      expect((await getAgent(work.database, old.agentId.toLowerCase())).agentId).toBe(now.agentId);
      expect((await getAgentLineage(work.database, old.agentId)).root.agentId).toBe(now.agentId);
      expect(await found('unmistakable')).toEqual([]);
      const totals = await one<{ total: number }>('SELECT sum(difference)::int AS total FROM listing_total');
      expect(totals.total).toBe(1);
    },
  );

  it.each(sampleUnlessNightly(STATEMENTS, (_, at) => at === 1))(
    'stay one when both names are imported again: %s',
    async (_by, statement) => {
      const rows = [listing('acme/old'), listing('acme/new'), statement].filter(
        (row, place, all) =>
          all.findLastIndex((other) => other.repository === row.repository) === place || row.from,
      );
      await work.store(...rows);
      const now = await idsOf('acme/new');
      await work.store(...rows);
      const versions = await rowVersions(work.database);

      await work.store(...rows);

      expect(await rowVersions(work.database)).toEqual(versions);
      expect(await idsOf('acme/new')).toEqual(now);
      expect(await lead('acme/old')).toBe('acme/new');
      expect((await work.rejects()).map(({ reason }) => reason)).toEqual([
        'its repository was renamed to acme/new, which is listed',
      ]);
    },
  );

  it('pass on their artifacts, children and relations, and receipts find what they are about', async () => {
    await work.store(
      listing('acme/old'),
      listing('acme/new'),
      artifact('acme/old', 'only-here'),
      artifact('acme/old', 'both'),
      artifact('acme/new', 'both'),
      listing('fan/fork', { parentRepository: 'acme/old', parentRelation: 'fork_of' }),
    );
    const old = await idsOf('acme/old');
    const both = await one<Ids>(
      `SELECT subject_id AS id FROM artifact WHERE name = 'both' AND listing_id = $1`,
      old.id,
    );

    await work.store(relation('renamed_to', 'acme/old', 'acme/new'));

    expect(await lead('acme/new#only-here')).toBe('acme/new#only-here');
    expect(await lead('acme/old#only-here')).toBe('acme/new#only-here');
    expect(await lead(both.id)).toBe('acme/new#both');
    const { parent } = await one<{ parent: string }>(
      `SELECT p.repository AS parent FROM listing c JOIN listing p ON p.subject_id = c.parent_id WHERE c.repository = 'fan/fork'`,
    );
    expect(parent).toBe('acme/new');
    const known = await loadSubjects(work.database, [{ id: old.id, type: 'skill' }], publicUrls);
    expect(known.get(old.id)).toMatchObject({ id: old.id, publicPath: '/s/acme/new' });
  });

  itAtNight('keep former ids through a chain of renames and later changes', async () => {
    await work.store(listing('acme/first'), listing('acme/second'), listing('acme/third'));
    const [first, second] = [await idsOf('acme/first'), await idsOf('acme/second')];

    await work.store(
      relation('renamed_to', 'acme/second', 'acme/third'),
      relation('renamed_to', 'acme/first', 'acme/second'),
    );
    await work.store(listing('acme/third', { description: 'Changed.' }));

    for (const { id, agentId } of [first, second])
      for (const name of [id, agentId]) expect(await lead(name)).toBe('acme/third');
    expect(await lead('acme/first')).toBe('acme/third');
  });

  it.each(
    sampleUnlessNightly(
      [
        ['only probable', {}, {}, relation('probable_rename_to', 'acme/old', 'acme/new', { stated: false })],
        ['only inferred', {}, {}, relation('renamed_to', 'acme/old', 'acme/new', { stated: false })],
        [
          'of two ids',
          { githubRepoId: '1' },
          { githubRepoId: '2' },
          relation('renamed_to', 'acme/old', 'acme/new'),
        ],
        [
          'of two creation days',
          { createdAt: '2024-01-01T10:00:00Z' },
          { createdAt: '2025-01-01T10:00:00Z' },
          relation('renamed_to', 'acme/old', 'acme/new'),
        ],
        ['of two types', { type: 'agent' }, {}, relation('renamed_to', 'acme/old', 'acme/new')],
      ] as const,
      ([why]) => why === 'of two ids',
    ),
  )('stay two when the rename is %s', async (_why, old, now, statement) => {
    await work.store(listing('acme/old', old), listing('acme/new', now), statement);

    const { listings } = await one<{ listings: number }>('SELECT count(*)::int AS listings FROM listing');
    expect(listings).toBe(2);
  });

  it('stay two when an owner has proved the one of the former name', async () => {
    await work.store(listing('acme/old'), listing('acme/new'));
    await work.database.query("UPDATE listing SET verified = true WHERE repository = 'acme/old'");
    await updateListingCopies(work.database, [(await idsOf('acme/old')).id]);

    await work.store(relation('renamed_to', 'acme/old', 'acme/new'));

    expect(await lead('acme/old')).toBe('acme/old');
  });

  const CREATED = { createdAt: '2024-01-01T10:00:00Z' };
  it.each(
    sampleUnlessNightly(
      [
        ['stay two', 'one day is unknown', CREATED, {}, 2],
        ['become one', 'both were created on one day', CREATED, CREATED, 1],
      ] as const,
      ([result]) => result === 'stay two',
    ),
  )('of different owners %s when %s, in any order', async (_result, _why, former, now, expected) => {
    const statement = relation('renamed_to', 'acme/old', 'mallory/new');
    const [old, other] = [listing('acme/old', former), listing('mallory/new', now)];
    const count = () => one<{ listings: number }>('SELECT count(*)::int AS listings FROM listing');

    await work.store(old, other, statement);
    expect(await count()).toEqual({ listings: expected });
    await work.store(old);
    expect(await count()).toEqual({ listings: expected });
    expect(await lead('acme/old')).toBe(expected === 2 ? 'acme/old' : 'mallory/new');
  });

  itAtNight('stay two when an account has only registered the new name', async () => {
    await work.store(listing('acme/old'), listing('acme/new'));
    const { accountId } = await makeAccount(work.database);
    await writeListings(work.database, 'UPDATE listing SET registered_by = $2 WHERE repository = $1', [
      'acme/new',
      accountId,
    ]);

    await work.store(relation('renamed_to', 'acme/old', 'acme/new'));

    expect(await lead('acme/old')).toBe('acme/old');
  });
});
