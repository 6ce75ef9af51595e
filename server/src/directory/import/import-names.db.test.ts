import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNaming } from '../../subjects/naming.ts';
import { resolveSubject } from '../../subjects/resolve-subject.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import { searchQuery } from '../search-words.ts';
import { createImportWorkspace, type ImportWorkspace } from './testing/import-workspace.ts';
import { artifact, creator, listing, relation } from './testing/rows.ts';

const naming = createNaming('http://directory.example');

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

/** What a name leads to: `repository`, `repository#artifact`, or the error's code. */
async function lead(text: string, type: SubjectType = 'skill'): Promise<string> {
  try {
    const { repository, name, agentId } = await resolveSubject(work.database, type, text, naming);
    return agentId === null && repository !== null ? `${repository}#${name}` : (repository ?? name);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function idOf(repository: string): Promise<string | undefined> {
  const [row] = await work.database.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE repository = $1',
    [repository],
  );
  return row?.id;
}

async function found(text: string): Promise<string[]> {
  const rows = await work.database.query<{ repository: string }>(
    'SELECT repository FROM listing WHERE search @@ $1::tsquery ORDER BY 1',
    [searchQuery(text)],
  );
  return rows.map(({ repository }) => repository);
}

async function one<Row extends object>(sql: string, ...bind: unknown[]): Promise<Row> {
  const [row] = await work.database.query<Row>(sql, bind);
  if (!row) throw new Error('no row');
  return row;
}

describe('former names', () => {
  it('lead to the listing that states them, and to what is inside it', async () => {
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

  it('lead nowhere when only probable or inferred', async () => {
    await work.store(
      listing('acme/new'),
      relation('probable_rename_to', 'acme/past', 'acme/new', { stated: false }),
      relation('renamed_to', 'acme/guess', 'acme/new', { stated: false }),
    );

    expect(await lead('acme/past')).toBe('subject_not_found');
    expect(await lead('acme/guess')).toBe('subject_not_found');
  });

  it('stated as relations serve every row of the same files, through chains, wherever they stand', async () => {
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

  it('give way to a living listing of that name, and both rows stay', async () => {
    await work.store(
      listing('acme/old'),
      listing('acme/new', { formerRepositories: ['acme/old'] }),
      listing('acme/alias'),
      relation('renamed_to', 'acme/alias', 'acme/new'),
    );

    expect(await lead('acme/old')).toBe('acme/old');
    expect(await lead('acme/alias')).toBe('acme/alias');
    expect(await lead('acme/new')).toBe('acme/new');
  });

  it('several listings had are no place for an artifact', async () => {
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

  it('lets two repositories swap their names', async () => {
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

  it('that another listing has is refused for a name without an id, and changes neither', async () => {
    await work.store(listing('acme/a', { githubRepoId: '1' }), listing('acme/b'));

    const summary = await work.store(listing('acme/b', { githubRepoId: '1' }));

    expect(summary.kinds.listing).toMatchObject({ changed: 0, rejected: 1 });
    expect(await idOf('acme/a')).toBeDefined();
    expect(await idOf('acme/b')).toBeDefined();
  });

  it('told later, or no longer, does not make another subject', async () => {
    await work.store(listing('acme/a'));
    const id = await idOf('acme/a');

    await work.store(listing('acme/a', { githubRepoId: '1' }));
    await work.store(listing('acme/a', { stars: 3 }));

    expect(await idOf('acme/a')).toBe(id);
    const stored = await one('SELECT host_repository_id, stars FROM listing');
    expect(stored).toEqual({ host_repository_id: '1', stars: 3 });
  });
});

describe('packages', () => {
  it('lead to the only listing that names them, and to none when another names them too', async () => {
    const npm = (name: string | null) => ({
      npmPackage: name,
      npmMonthlyDownloads: name === null ? null : 90_000,
    });
    await work.store(listing('acme/one', npm('shared')), listing('acme/own', { pypiPackage: 'My_Package' }));
    expect(await lead('npm:shared')).toBe('acme/one');
    expect(await lead('pypi:my-package')).toBe('acme/own');
    const alone = await trustOf('acme/one');

    await work.store(
      listing('acme/two', npm('shared')),
      listing('acme/other', { pypiPackage: 'my.package' }),
    );
    expect(await lead('npm:shared')).toBe('subject_not_found');
    expect(await lead('pypi:my-package')).toBe('subject_not_found');
    const shared = await trustOf('acme/one');

    await work.store(listing('acme/two', npm(null)));
    expect(await lead('npm:shared')).toBe('acme/one');
    expect(shared).not.toBe(alone);
    expect(await trustOf('acme/one')).toBe(alone);
  });

  it('of a listing are not those of the artifacts inside it', async () => {
    await work.store(
      listing('acme/server', { npmPackage: '@acme/server' }),
      artifact('acme/server', 'server', { npmPackage: '@acme/server' }),
      artifact('acme/server', 'extra', { npmPackage: '@acme/extra' }),
    );

    expect(await lead('npm:@acme/server')).toBe('acme/server');
    expect(await lead('@acme/extra')).toBe('acme/server#extra');
  });
});

async function trustOf(repository: string): Promise<number> {
  const { trust } = await one<{ trust: number }>(
    'SELECT trust FROM listing WHERE repository = $1',
    repository,
  );
  return trust;
}

describe('rows', () => {
  it('keep nulls, long descriptions, odd names and texts in every script as they are', async () => {
    const description = `${'长描述 '.repeat(3000)}🧲 e\u0301`;
    const row = listing('acme/.odd.name', {
      name: '🧲 微信',
      description,
      tags: ['a', 'ü'],
      extra: { kept: [1, null] },
    });
    await work.store(row);

    const stored = await one<{
      imported: unknown;
      description: string;
      name: string;
      stars: null;
      tags: string[];
    }>('SELECT imported, description, name, stars, forks, open_issues, last_commit_at, tags FROM listing');
    expect(stored).toMatchObject({ description, name: '🧲 微信', tags: ['a', 'ü'], imported: row });
    expect(stored).toMatchObject({ stars: null, forks: null, open_issues: null, last_commit_at: null });
    expect(await found('微信')).toEqual(['acme/.odd.name']);
  });

  it('of one name on two hosts are two listings of two creators', async () => {
    await work.store(
      listing('acme/tool'),
      listing('acme/tool', { host: 'gitlab.com' }),
      listing('acme/tool', { host: 'gitee.com' }),
    );

    const hosts = await work.database.query('SELECT host FROM listing ORDER BY 1');
    expect(hosts).toEqual([{ host: 'gitee.com' }, { host: 'github.com' }, { host: 'gitlab.com' }]);
    const creators = await one('SELECT count(*) AS count FROM creator');
    expect(creators).toEqual({ count: 3 });
    expect(await lead('https://gitlab.com/acme/tool')).toBe('acme/tool');
  });

  it('of creators without a listing are stored, and a new display name finds and leads', async () => {
    await work.store(listing('acme/tool'), creator('acme', { displayName: 'Old Forge' }), creator('nobody'));
    await work.store(creator('acme', { displayName: 'New Foundry' }));

    expect(await found('foundry')).toEqual(['acme/tool']);
    expect(await found('forge')).toEqual([]);
    expect(await lead('New Foundry', 'creator')).toBe('New Foundry');
    expect(await lead('Old Forge', 'creator')).toBe('subject_not_found');
    expect(await lead('@nobody', 'creator')).toBe('nobody');
  });

  it("that prove a creator's account change the scores of its listings, of what is inside them, and its own", async () => {
    await work.store(listing('acme/tool'), artifact('acme/tool', 'part'), creator('acme'));
    const before = await trustOf('acme/tool');

    const summary = await work.store(creator('acme', { mcpRegistryGithubNamespace: true }));

    expect(summary.scored).toBe(3);
    expect(await trustOf('acme/tool')).toBeGreaterThan(before);
  });

  it('can turn neither an agent into a skill nor a part of one repository into that of another', async () => {
    await work.store(listing('acme/tool'), artifact('acme/tool', 'part'));

    const summary = await work.store(
      listing('acme/tool', { type: 'agent', kind: 'agent' }),
      artifact('acme/tool', 'part', { kind: 'agent' }),
    );

    expect(summary.reasons).toEqual({ "it is listed as skill, and a subject's type never changes": 2 });
  });

  it('about a registered repository add what its creator could not say, and change none of its words', async () => {
    await work.store(listing('acme/tool', { name: 'own words', description: 'mine' }));
    await work.database.query(
      `INSERT INTO account (id, handle, plan) VALUES ('00000000-0000-7000-8000-000000000001', 'acme', 'free')`,
    );
    await work.database.query(
      `UPDATE listing SET registered_by = '00000000-0000-7000-8000-000000000001', source = 'registration'`,
    );

    await work.store(
      listing('acme/tool', { name: 'theirs', description: 'theirs', category: 'data', stars: 9 }),
    );

    const stored = await one('SELECT name, description, category, source, stars FROM listing');
    expect(stored).toEqual({
      name: 'own words',
      description: 'mine',
      category: 'coding',
      source: 'registration',
      stars: 9,
    });
    expect(await found('theirs')).toEqual([]);
  });
});
