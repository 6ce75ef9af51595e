import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState } from '../../../testing/import/registry-state.ts';
import { artifact, listing, type Row, server } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';

let work: ImportWorkspace;
const { lead, one } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

const LATER = '2026-01-01T00:00:00Z';

// Artifacts need their listings.
const ORDERS = [
  [0, 1, 2, 3],
  [3, 2, 0, 1],
  [2, 0, 3, 1],
  [0, 3, 1, 2],
] as const;

const packagesOf = (repository: string) =>
  one(
    `SELECT npm_package AS npm, npm_confirmed AS "npmConfirmed", pypi_package AS pypi, pypi_confirmed AS "pypiConfirmed"
     FROM listing WHERE repository = $1`,
    repository,
  );

describe('a package that the owner of a repository names in the MCP registry', () => {
  const robot = server('io.github.Acme/robot', 'acme/Robot', [
    ['npm', 'robot'],
    ['pypi', 'acme_robot'],
  ]);
  const confirmed = { npm: 'robot', npmConfirmed: true, pypi: 'acme_robot', pypiConfirmed: true };

  itAtNight('is confirmed where a list names it, and learned where none does', async () => {
    await work.store(listing('acme/robot', { npmPackage: 'robot' }), robot);

    expect(await packagesOf('acme/robot')).toEqual(confirmed);
    expect([await lead('npm:robot'), await lead('pypi:acme-robot')]).toEqual(['acme/robot', 'acme/robot']);
  });

  itAtNight.each([
    ['before', [robot, listing('acme/robot')]],
    ['after', [listing('acme/robot'), robot]],
  ])('is learned from an entry that is imported %s the listing', async (_, rows) => {
    for (const row of rows) await work.store(row);

    expect(await packagesOf('acme/robot')).toEqual(confirmed);
    expect(await lead('npm:robot')).toBe('acme/robot');
    expect((await registryState(work.database)).due).toEqual([]);
  });

  it('takes the place of a name that only a list gives, without the downloads of that name', async () => {
    const row = listing('acme/robot', { npmPackage: '@anthropic/robot', npmMonthlyDownloads: 9_000 });
    await work.store(row, robot);

    expect(await packagesOf('acme/robot')).toEqual(confirmed);
    expect(await one('SELECT npm_monthly_downloads AS downloads FROM listing')).toEqual({ downloads: null });
    expect(await lead('npm:@anthropic/robot')).toBe('subject_not_found');
  });

  it('is lost with the entry, and the name of the list comes back', async () => {
    const row = listing('acme/robot', { npmPackage: 'listed', npmMonthlyDownloads: 9_000 });
    await work.store(row, robot);

    await work.store(
      server('io.github.Acme/robot', 'acme/Robot', [], { status: 'deleted', updatedAt: LATER }),
    );

    expect(await packagesOf('acme/robot')).toEqual({
      npm: 'listed',
      npmConfirmed: false,
      pypi: null,
      pypiConfirmed: false,
    });
    expect(await one('SELECT npm_monthly_downloads AS downloads FROM listing')).toEqual({ downloads: 9_000 });
    expect([await lead('npm:robot'), await lead('npm:listed')]).toEqual(['subject_not_found', 'acme/robot']);
  });

  itAtNight('moves with the repository that the latest version names', async () => {
    await work.store(listing('acme/robot'), listing('acme/new'), robot);

    const moved = { version: '2.0.0', updatedAt: LATER, publishedAt: LATER };
    await work.store(server('io.github.Acme/robot', 'acme/new', [['npm', 'robot']], moved));

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: null, npmConfirmed: false });
    expect(await packagesOf('acme/new')).toMatchObject({ npm: 'robot', npmConfirmed: true });
    expect(await lead('npm:robot')).toBe('acme/new');
  });

  itAtNight('moves with the repository when its only version is corrected', async () => {
    await work.store(listing('acme/robot'), listing('acme/new'), robot);

    await work.store(server('io.github.Acme/robot', 'acme/new', [['npm', 'robot']], { updatedAt: LATER }));

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: null, npmConfirmed: false });
    expect(await packagesOf('acme/new')).toMatchObject({ npm: 'robot', npmConfirmed: true });
    expect(await lead('npm:robot')).toBe('acme/new');
  });

  itAtNight('counts again in an earlier version after the latest one was deleted', async () => {
    const second = { version: '2.0.0', updatedAt: LATER, publishedAt: LATER };
    await work.store(listing('acme/robot'), robot);
    await work.store(server('io.github.Acme/robot', 'acme/robot', [['npm', 'second']], second));
    expect(await packagesOf('acme/robot')).toMatchObject({ npm: 'second' });

    const deleted = { ...second, status: 'deleted', updatedAt: '2026-02-01T00:00:00Z' };
    await work.store(server('io.github.Acme/robot', 'acme/robot', [['npm', 'second']], deleted));

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: 'robot' });
  });

  itAtNight('is none for a repository with many packages', async () => {
    const parts = ['core', 'memory', 'voice'].map((part) =>
      server(`io.github.acme/${part}`, 'acme/robot', [['npm', `@acme/${part}`]]),
    );
    await work.store(listing('acme/robot'), ...parts);

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: null, npmConfirmed: false });
  });
});

describe('a package that only a list names', () => {
  itAtNight('leads to its listing, unconfirmed', async () => {
    await work.store(listing('acme/robot', { npmPackage: '@anthropic/robot' }));

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: '@anthropic/robot', npmConfirmed: false });
    expect(await lead('npm:@anthropic/robot')).toBe('acme/robot');
  });

  it('leads to none of two listings that claim it, and to the one for which it is confirmed', async () => {
    const claims = ['acme/robot', 'mallory/robot'].map((name) => listing(name, { npmPackage: 'robot' }));
    await work.store(...claims);
    expect(await lead('npm:robot')).toBe('subject_not_found');

    await work.store(server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']]));

    expect(await lead('npm:robot')).toBe('acme/robot');
    expect(await packagesOf('mallory/robot')).toMatchObject({ npm: 'robot', npmConfirmed: false });
  });

  it('is not confirmed by a stranger who names the repository and a package of the same name', async () => {
    await work.store(
      listing('ActiveCampaign/postmark-mcp', { npmPackage: 'postmark-mcp' }),
      server('io.github.mallory/postmark-mcp', 'ActiveCampaign/postmark-mcp', [['npm', 'postmark-mcp']]),
      server('com.mallory/postmark-mcp', 'ActiveCampaign/postmark-mcp', [['npm', 'postmark-mcp']]),
      server('io.github.mallory/other', 'mallory/postmark-mcp', [['npm', 'postmark-mcp']]),
    );

    expect(await packagesOf('ActiveCampaign/postmark-mcp')).toMatchObject({ npmConfirmed: false });
  });
});

it('listings, artifacts and entries give the same packages in any order of import', async () => {
  const files: Row[][] = [
    [
      listing('acme/robot', { npmPackage: 'robot', npmMonthlyDownloads: 4_000 }),
      listing('mallory/robot', { npmPackage: 'robot', npmMonthlyDownloads: 4_000 }),
      listing('acme/tool', { npmPackage: 'wrong' }),
    ],
    [
      artifact('acme/robot', 'part', { npmPackage: 'robot' }),
      artifact('acme/tool', 'part', { npmPackage: 'wrong' }),
    ],
    [server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']])],
    [
      server('io.github.acme/tool', 'acme/tool', [['npm', 'tool']]),
      server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']], {
        version: '2.0.0',
        updatedAt: LATER,
        publishedAt: LATER,
      }),
    ],
  ];
  const states: unknown[] = [];
  for (const [a, b, c, d] of sampleUnlessNightly(ORDERS, (_, at) => at < 2)) {
    for (const place of [a, b, c, d]) await work.store(...(files[place] ?? []));
    states.push(await registryState(work.database));
    await work.close();
    work = await createImportWorkspace();
  }

  expect(states[0]).toMatchObject({
    aliases: expect.arrayContaining([expect.objectContaining({ label: 'npm:tool' })]),
  });
  for (const state of states.slice(1)) expect(state).toEqual(states[0]);
});
