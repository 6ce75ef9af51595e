import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, creator, listing, server } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;
const { found, lead, one, trustOf } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

describe('packages', () => {
  itAtNight('lead to the only listing that names them, and to none when another names them too', async () => {
    const npm = (name: string | null) => ({
      npmPackage: name,
      npmMonthlyDownloads: name === null ? null : 90_000,
    });
    await work.store(listing('acme/one', npm('shared')), listing('acme/own', { pypiPackage: 'My_Package' }));
    expect(await lead('npm:shared')).toBe('acme/one');
    expect(await lead('pypi:my-package')).toBe('acme/own');

    await work.store(
      listing('acme/two', npm('shared')),
      listing('acme/other', { pypiPackage: 'my.package' }),
    );
    expect(await lead('npm:shared')).toBe('subject_not_found');
    expect(await lead('pypi:my-package')).toBe('subject_not_found');
    await work.store(listing('acme/two', npm(null)));
    expect(await lead('npm:shared')).toBe('acme/one');
  });

  it('bring their downloads to the score only where they are confirmed, for one listing', async () => {
    const npm = { npmPackage: 'shared', npmMonthlyDownloads: 90_000 };
    await work.store(listing('acme/one', npm), listing('acme/none'));
    expect(await trustOf('acme/one')).toBe(await trustOf('acme/none'));

    await work.store(server('io.github.acme/one', 'acme/one', [['npm', 'shared']]));
    const confirmed = await trustOf('acme/one');
    expect(confirmed).not.toBe(await trustOf('acme/none'));
    await work.store(listing('other/one', npm));
    expect(await trustOf('acme/one')).toBe(confirmed);

    // An entry of the registry makes its owner the official maker, with or without a package.
    await work.store(
      listing('acme/two', npm),
      server('io.github.acme/two', 'acme/two', [['npm', 'shared']]),
      server('io.github.acme/none', 'acme/none', []),
    );
    expect(await trustOf('acme/one')).toBe(await trustOf('acme/none'));
    expect(await lead('npm:shared')).toBe('subject_not_found');
  });

  itAtNight('of a listing are not those of the artifacts inside it', async () => {
    await work.store(
      listing('acme/server', { npmPackage: '@acme/server' }),
      artifact('acme/server', 'server', { npmPackage: '@acme/server' }),
      artifact('acme/server', 'extra', { npmPackage: '@acme/extra' }),
    );

    expect(await lead('npm:@acme/server')).toBe('acme/server');
    expect(await lead('@acme/extra')).toBe('acme/server#extra');
  });
});

describe('rows', () => {
  itAtNight('keep nulls, long descriptions, odd names and texts in every script as they are', async () => {
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

  it('of an earlier reading do not take back the figures of a later one', async () => {
    const later = { stars: 30, forks: 3, metricsAsOf: '2026-08-22', metricsSource: 'acme/list' };
    await work.store(listing('acme/robot', later));

    await work.store(
      listing('acme/robot', { ...later, stars: 20, metricsAsOf: '2026-08-21', description: 'New.' }),
    );

    const [row] = await work.database.query(
      'SELECT stars, description, metrics_observed_at AS at FROM listing',
    );
    expect(row).toEqual({ stars: 30, description: 'New.', at: new Date('2026-08-22T00:00:00Z') });
  });

  itAtNight('of one name on two hosts are two listings of two creators', async () => {
    await work.store(
      listing('acme/tool'),
      listing('acme/tool', { host: 'gitlab.com' }),
      listing('acme/tool', { host: 'gitee.com' }),
    );

    const hosts = await work.database.query('SELECT host FROM listing ORDER BY 1');
    expect(hosts).toEqual([{ host: 'gitee.com' }, { host: 'github.com' }, { host: 'gitlab.com' }]);
    const creators = await one('SELECT count(*) AS count FROM creator');
    expect(creators).toEqual({ count: 3 });
    expect(await lead('https://gitlab.com/acme/tool')).toBe('gitlab.com/acme/tool');
  });

  itAtNight('of creators without a listing are stored, and a new display name finds and leads', async () => {
    await work.store(listing('acme/tool'), creator('acme', { displayName: 'Old Forge' }), creator('nobody'));
    await work.store(creator('acme', { displayName: 'New Foundry' }));

    expect(await found('foundry')).toEqual(['acme/tool']);
    expect(await found('forge')).toEqual([]);
    expect(await lead('New Foundry', 'creator')).toBe('New Foundry');
    expect(await lead('Old Forge', 'creator')).toBe('subject_not_found');
    expect(await lead('@nobody', 'creator')).toBe('nobody');
  });

  itAtNight(
    "that prove a creator's account change the scores of its listings, of their artifacts, and its own",
    async () => {
      await work.store(listing('acme/tool'), artifact('acme/tool', 'part'), creator('acme'));
      const before = await trustOf('acme/tool');

      const summary = await work.store(creator('acme', { mcpRegistryGithubNamespace: true }));

      expect(summary.scored).toBe(3);
      expect(await trustOf('acme/tool')).toBeGreaterThan(before);
    },
  );

  it('can turn neither an agent into a skill nor a part of one repository into that of another', async () => {
    await work.store(listing('acme/tool'), artifact('acme/tool', 'part'));

    const summary = await work.store(
      listing('acme/tool', { type: 'agent', kind: 'agent' }),
      artifact('acme/tool', 'part', { kind: 'agent' }),
    );

    expect(summary.reasons).toEqual({ "it is listed as skill, and a subject's type never changes": 2 });
  });

  it('about a registered repository add facts that its creator could not state, and do not change its text', async () => {
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
