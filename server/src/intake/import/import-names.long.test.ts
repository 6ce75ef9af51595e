import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, listing, relation } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;
const { found, idOf, lead, one } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

describe('former names', () => {
  itAtNight('lead to the listing that states them, and to its artifacts', async () => {
    await work.store(
      listing('acme/new', { formerRepositories: ['acme/old'] }),
      artifact('acme/old', 'tool'),
      listing('acme/likely', { probablyRenamedTo: 'acme/new' }),
    );

    expect(await lead('acme/old')).toBe('acme/new');
    expect(await lead('https://github.com/ACME/Old.git')).toBe('acme/new');
    expect(await lead('acme/old#tool')).toBe('acme/new#tool');
    expect(await lead('acme/likely')).toBe('acme/likely');
  });

  itAtNight('lead nowhere when only probable or inferred', async () => {
    await work.store(
      listing('acme/new'),
      relation('probable_rename_to', 'acme/past', 'acme/new', { stated: false }),
      relation('renamed_to', 'acme/guess', 'acme/new', { stated: false }),
    );

    expect(await lead('acme/past')).toBe('subject_not_found');
    expect(await lead('acme/guess')).toBe('subject_not_found');
  });

  it('stated as relations apply to every row of the same files, through chains, in any order', async () => {
    const summary = await work.store(
      artifact('acme/first', 'tool'),
      relation('fork_of', 'fan/copy', 'acme/first'),
      relation('renamed_to', 'acme/first', 'acme/second'),
      relation('renamed_to', 'acme/second', 'acme/third'),
      listing('acme/third'),
      listing('fan/copy'),
    );

    expect(summary.kinds.relation).toMatchObject({ added: 3, rejected: 0 });
    expect(summary.kinds.artifact).toMatchObject({ added: 1, rejected: 0 });
    expect(await lead('acme/first')).toBe('acme/third');
    expect(await lead('acme/second')).toBe('acme/third');
    expect(await lead('acme/first#tool')).toBe('acme/third#tool');
    const { parent } = await one<{ parent: string }>(
      `SELECT p.repository AS parent FROM listing c JOIN listing p ON p.subject_id = c.parent_id WHERE c.repository = 'fan/copy'`,
    );
    expect(parent).toBe('acme/third');
  });

  itAtNight(
    'give way to a living listing of that name with another creation day, and both rows stay',
    async () => {
      const [old, now] = [{ createdAt: '2024-01-01T00:00:00Z' }, { createdAt: '2025-02-02T00:00:00Z' }];
      await work.store(
        listing('acme/old', old),
        listing('acme/new', { ...now, formerRepositories: ['acme/old'] }),
        listing('acme/alias', old),
        relation('renamed_to', 'acme/alias', 'acme/new'),
      );

      expect(await lead('acme/old')).toBe('acme/old');
      expect(await lead('acme/alias')).toBe('acme/alias');
      expect(await lead('acme/new')).toBe('acme/new');
    },
  );

  itAtNight('of several listings cannot be used by an artifact', async () => {
    const summary = await work.store(
      listing('acme/a', { formerRepositories: ['acme/old'] }),
      listing('acme/b', { formerRepositories: ['acme/old'] }),
      artifact('acme/old', 'tool'),
    );

    expect(summary.reasons).toEqual({ 'its repository is a former name of several listings': 1 });
    expect(await lead('acme/old')).toBe('subject_ambiguous');
  });
});

describe("a repository's id", () => {
  it('keeps a renamed repository the same subject under its new name and owner', async () => {
    await work.store(listing('acme/old', { githubRepoId: '7' }), artifact('acme/old', 'tool'));
    const before = await idOf('acme/old');

    const summary = await work.store(listing('newowner/new', { githubRepoId: '7' }));

    expect(summary.kinds.listing).toMatchObject({ added: 0, changed: 1 });
    expect(await idOf('newowner/new')).toBe(before);
    expect(await lead('acme/old')).toBe('newowner/new');
    expect(await lead('newowner/new#tool')).toBe('newowner/new#tool');
    expect(await lead('acme/old#tool')).toBe('newowner/new#tool');
    expect(await found('newowner')).toEqual(['newowner/new']);
  });

  it('makes a new repository on an old name a new subject, and the old one finds its new name later', async () => {
    await work.store(listing('acme/name', { githubRepoId: '7', description: 'first' }));
    const first = await idOf('acme/name');

    await work.store(listing('acme/name', { githubRepoId: '8', description: 'second' }));

    const second = await idOf('acme/name');
    expect(second).not.toBe(first);
    expect(await lead('acme/name')).toBe('acme/name');
    expect(await idOf('acme/name~7')).toBe(first);

    await work.store(listing('acme/moved', { githubRepoId: '7', description: 'first' }));

    expect(await idOf('acme/moved')).toBe(first);
    expect(await idOf('acme/name')).toBe(second);
    expect(await lead('acme/name')).toBe('acme/name');
  });

  itAtNight('lets two repositories swap their names', async () => {
    await work.store(listing('acme/a', { githubRepoId: '1' }), listing('acme/b', { githubRepoId: '2' }));
    const [a, b] = [await idOf('acme/a'), await idOf('acme/b')];

    const summary = await work.store(
      listing('acme/b', { githubRepoId: '1' }),
      listing('acme/a', { githubRepoId: '2' }),
    );

    expect(summary.kinds.listing).toMatchObject({ changed: 2, rejected: 0 });
    expect([await idOf('acme/b'), await idOf('acme/a')]).toEqual([a, b]);
    expect(await lead('acme/a')).toBe('acme/a');
  });

  itAtNight('that another listing has is refused for a name without an id, and changes neither', async () => {
    await work.store(listing('acme/a', { githubRepoId: '1' }), listing('acme/b'));

    const summary = await work.store(listing('acme/b', { githubRepoId: '1' }));

    expect(summary.kinds.listing).toMatchObject({ changed: 0, rejected: 1 });
    expect(await idOf('acme/a')).toBeDefined();
    expect(await idOf('acme/b')).toBeDefined();
  });

  itAtNight('that is added or removed later does not make another subject', async () => {
    await work.store(listing('acme/a'));
    const id = await idOf('acme/a');

    await work.store(listing('acme/a', { githubRepoId: '1' }));
    await work.store(listing('acme/a', { stars: 3 }));

    expect(await idOf('acme/a')).toBe(id);
    const stored = await one('SELECT host_repository_id, stars FROM listing');
    expect(stored).toEqual({ host_repository_id: '1', stars: 3 });
  });
});
