import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { artifact, listing, server } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { packument, project } from '../../../testing/stand-ins/package-records.ts';
import { saveFacts } from '../../catalog/facts/observed-facts.ts';
import { schedulePackages } from './leased-source.queries.ts';
import { packageSource } from './package-source.ts';
import type { RefreshRunOptions } from './refresh-source.ts';

let work: RefreshWorkspace;
const { lead, one } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const refresh = (options: Partial<RefreshRunOptions> = {}) =>
  work.refreshFrom(packageSource(work.parts), options);

const REPOSITORY = { type: 'git', url: 'git+https://github.com/acme/robot.git' };
const FIRST = { version: '1.0.0', at: '2026-01-02T03:04:05.678Z', repository: REPOSITORY };
const SECOND = { version: '1.1.0', at: '2026-03-04T05:06:07.890Z', repository: REPOSITORY };

const npm = (name: string, releases = [FIRST], more: object = {}) =>
  work.standIn.world.package({ api: 'npm', name, users: [], record: packument(name, releases), ...more });

/** Stores that a manifest of the repository names packages of npm. */
async function nameInManifest(repository: string, ...names: string[]): Promise<void> {
  const { id } = await one<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE repository = $1',
    repository,
  );
  const packages = names.map((name) => ({ ecosystem: 'npm' as const, name, path: 'package.json' }));
  const url = `https://github.com/${repository}`;
  await saveFacts(work.database, [
    { subjectId: id, fact: 'manifest', value: { packages }, source: 'github.com', url, license: null },
  ]);
}

const packagesOf = (repository: string) =>
  one(
    `SELECT npm_package AS npm, npm_confirmed AS "isConfirmed", npm_missing AS "isMissing", pypi_package AS pypi,
       pypi_confirmed AS "isPypiConfirmed" FROM listing WHERE repository = $1`,
    repository,
  );

const published = () =>
  work.database.query<{ value: object; source: string; url: string }>(
    `SELECT value, source, url FROM observed_fact WHERE fact = 'published_package' ORDER BY source`,
  );

itAtNight('schedules any number of packages in one statement', async () => {
  await work.store(listing('maker/tool'));
  await work.database.query(
    `INSERT INTO observed_fact (subject_id, fact, source, url, value)
     SELECT subject_id, 'manifest', 'github.com', 'https://github.com', jsonb_build_object('packages',
       (SELECT jsonb_agg(jsonb_build_object('ecosystem', 'npm', 'name', 'part-' || n)) FROM generate_series(1, 5001) n))
     FROM listing`,
  );

  expect(await schedulePackages(work.database, 'package')).toBe(5_001);
  expect(await schedulePackages(work.database, 'package')).toBe(0);
});

describe('a refresh of packages', () => {
  it('confirms a package whose metadata and manifest name each other, and stores its published version', async () => {
    await work.store(listing('acme/robot', { npmPackage: 'robot' }));
    await nameInManifest('acme/robot', 'robot');
    npm('robot', [FIRST, SECOND], { downloads: 4_321 });

    const summary = await refresh();

    expect(summary).toMatchObject({ outcomes: { read: 1 }, stillDue: 0 });
    expect(await packagesOf('acme/robot')).toMatchObject({
      npm: 'robot',
      isConfirmed: true,
      isMissing: false,
    });
    expect(await published()).toEqual([
      {
        value: {
          ecosystem: 'npm',
          name: 'robot',
          version: '1.1.0',
          releasedAt: '2026-03-04T05:06:07.890000Z',
          provenance: 'none',
          deprecated: false,
          monthlyDownloads: 4_321,
        },
        source: 'npm',
        url: 'https://registry.npmjs.org/robot',
      },
    ]);
    expect(await work.database.query('SELECT own FROM score_due')).toHaveLength(1);
  });

  itAtNight('learns a package that only a manifest names', async () => {
    await work.store(listing('acme/robot'));
    await nameInManifest('acme/robot', 'robot');
    npm('robot');

    await refresh();

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: 'robot', isConfirmed: true });
    expect(await lead('npm:robot')).toBe('acme/robot');
  });

  it('does not confirm a package that names the repository, without a manifest that names it', async () => {
    await work.store(
      listing('acme/robot', { npmPackage: 'robot' }),
      server('com.mallory/robot', 'acme/robot', [['npm', 'robot']]),
    );
    npm('robot');

    await refresh();

    expect(await packagesOf('acme/robot')).toMatchObject({
      npm: 'robot',
      isConfirmed: false,
      isMissing: false,
    });
    expect(await published()).toEqual([]);
  });

  it('says of a package that its registry does not have it, which then leads to no listing', async () => {
    await work.store(
      listing('acme/robot', { npmPackage: '@anthropic/robot' }),
      listing('acme/tools'),
      artifact('acme/tools', 'part', { npmPackage: '@anthropic/part' }),
    );
    expect([await lead('npm:@anthropic/robot'), await lead('npm:@anthropic/part')]).toEqual([
      'acme/robot',
      'acme/tools#part',
    ]);

    expect((await refresh()).outcomes).toEqual({ gone: 2 });

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: '@anthropic/robot', isMissing: true });
    const found = [await lead('npm:@anthropic/robot'), await lead('npm:@anthropic/part')];
    expect(found).toEqual(['subject_not_found', 'subject_not_found']);

    for (const name of ['@anthropic/robot', '@anthropic/part']) npm(name);
    await work.makeDue();
    expect((await refresh()).outcomes).toEqual({ read: 2 });

    expect(await packagesOf('acme/robot')).toMatchObject({ isConfirmed: false, isMissing: false });
    expect([await lead('npm:@anthropic/robot'), await lead('npm:@anthropic/part')]).toEqual([
      'acme/robot',
      'acme/tools#part',
    ]);
  });

  itAtNight('takes a package away that was unpublished, or that names another repository now', async () => {
    await work.store(listing('acme/robot'), listing('acme/tool'));
    await nameInManifest('acme/robot', 'robot');
    await nameInManifest('acme/tool', 'tool');
    npm('robot');
    const tool = npm('tool', [
      { ...FIRST, repository: { ...REPOSITORY, url: 'https://github.com/acme/tool' } },
    ]);
    await refresh();
    expect(await published()).toHaveLength(2);

    work.standIn.world.packages.splice(0, 1);
    tool.record = packument('tool', [
      FIRST,
      { ...SECOND, repository: { ...REPOSITORY, url: 'https://github.com/acme/other' } },
    ]);
    await work.makeDue();
    await refresh();

    expect(await packagesOf('acme/robot')).toMatchObject({ npm: null, isConfirmed: false });
    expect(await packagesOf('acme/tool')).toMatchObject({ npm: null, isConfirmed: false });
    expect(await published()).toEqual([]);
    expect([await lead('npm:robot'), await lead('npm:tool')]).toEqual([
      'subject_not_found',
      'subject_not_found',
    ]);
  });

  it('keeps the Warning of a package with malware that was unpublished, or is named no more', async () => {
    const standings = () =>
      work.database.query(
        `SELECT l.repository, f.value ->> 'published' AS published, f.value -> 'everyVersion' AS "isWhole"
         FROM observed_fact f JOIN listing l USING (subject_id) WHERE f.fact = 'package_standing' ORDER BY 1`,
      );
    await storeOsv(work.database, osvRecord('MAL-1', 'robot'));
    await work.store(listing('acme/robot'));
    await nameInManifest('acme/robot', 'robot');
    npm('robot');
    await refresh();
    expect(await standings()).toEqual([{ repository: 'acme/robot', published: 'malware', isWhole: true }]);

    work.standIn.world.packages.splice(0, 1);
    await work.makeDue();
    await refresh();

    expect(await standings()).toEqual([{ repository: 'acme/robot', published: 'unread', isWhole: true }]);
    expect(await packagesOf('acme/robot')).toMatchObject({
      npm: 'robot',
      isConfirmed: true,
      isMissing: true,
    });
    expect(await lead('npm:robot')).toBe('subject_not_found');

    await nameInManifest('acme/robot', 'other');
    npm('robot', [{ ...FIRST, repository: { ...REPOSITORY, url: 'https://github.com/acme/other' } }]);
    await work.makeDue();
    await refresh();

    expect(await standings()).toEqual([{ repository: 'acme/robot', published: 'malware', isWhole: true }]);
  });

  itAtNight(
    'reads packages that entries of the MCP registry name, and projects of PyPI in any spelling',
    async () => {
      const packages = [
        ['pypi', 'Acme_Robot'],
        ['npm', 'elsewhere', { registryBaseUrl: 'https://npm.example' }],
      ] as const;
      await work.store(listing('acme/robot'), server('io.github.acme/robot', 'acme/robot', packages));
      const record = project('acme-robot', SECOND);
      work.standIn.world.package({ api: 'pypi', name: 'acme-robot', users: [], record });

      expect((await refresh()).outcomes).toEqual({ read: 1 });

      expect(await packagesOf('acme/robot')).toMatchObject({
        npm: null,
        pypi: 'Acme_Robot',
        isPypiConfirmed: true,
      });
      expect(await published()).toMatchObject([
        { value: { ecosystem: 'pypi', name: 'acme-robot', version: '1.1.0' }, source: 'pypi' },
      ]);
    },
  );

  itAtNight('renews the time of a package that has not changed, and its downloads', async () => {
    await work.store(listing('acme/robot'));
    await nameInManifest('acme/robot', 'robot');
    const robot = npm('robot', [FIRST], { downloads: 1 });
    await refresh();
    await work.database.query(`UPDATE package_reading SET observed_at = '2026-01-01'`);
    await work.database.query(
      `UPDATE observed_fact SET observed_at = '2026-01-01' WHERE fact = 'published_package'`,
    );

    robot.downloads = 2;
    await work.makeDue();
    await refresh();

    expect(work.standIn.requests.map(({ status }) => status)).toEqual([200, 200, 304, 200]);
    expect(await published()).toMatchObject([{ value: { version: '1.0.0', monthlyDownloads: 2 } }]);
    expect(
      await one(
        `SELECT f.observed_at = r.observed_at AND r.observed_at > '2026-01-02' AS "isRenewed"
        FROM observed_fact f, package_reading r WHERE f.fact = 'published_package' AND $1 = ''`,
        '',
      ),
    ).toEqual({ isRenewed: true });
  });

  itAtNight('reads packages of popular listings first, and continues where it ended', async () => {
    await work.store(
      listing('acme/a', { npmPackage: 'little', stars: 1 }),
      listing('acme/b', { npmPackage: 'much', stars: 90_000 }),
    );

    await refresh({ limit: 1 });
    const first = work.standIn.requests.map(({ path }) => path);
    await refresh();

    expect(first).toEqual(['/npm/much']);
    expect(work.standIn.requests.map(({ path }) => path)).toEqual(['/npm/much', '/npm/little']);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['403', { kind: 'answer', status: 403 }],
        ['500', { kind: 'answer', status: 500 }],
        ['a page in place of 404', { kind: 'answer', status: 404, body: '<html>' }],
        [
          'a redirect elsewhere',
          { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
        ],
        ['a hang-up', { kind: 'hang_up' }],
        ['no JSON', { kind: 'answer', status: 200, body: '<html>' }],
        [
          'another package',
          { kind: 'answer', status: 200, body: JSON.stringify(packument('other', [SECOND])) },
        ],
        [
          'versions that are no object',
          { kind: 'answer', status: 200, body: '{"name":"robot","versions":[]}' },
        ],
      ] as const,
      ([what]) => what === '500' || what === 'another package',
    ),
  )('keeps a package as it was read on %s', async (_, trouble) => {
    await work.store(listing('acme/robot'));
    await nameInManifest('acme/robot', 'robot');
    npm('robot', [FIRST], { downloads: 7 });
    await refresh();
    const before = [await packagesOf('acme/robot'), await published()];
    await work.makeDue();
    work.standIn.trouble(trouble);

    expect((await refresh()).outcomes).toEqual({ failed: 1 });
    expect([await packagesOf('acme/robot'), await published()]).toEqual(before);
    expect(before[0]).toMatchObject({ npm: 'robot', isConfirmed: true });
  });

  it('waits longer after each failure of a registry, and asks a limiting one no more', async () => {
    await work.store(
      listing('acme/a', { npmPackage: 'a', stars: 10 }),
      listing('acme/b', { npmPackage: 'b', pypiPackage: 'b' }),
    );
    work.standIn.trouble({ kind: 'answer', status: 500 });
    expect((await refresh({ limit: 1 })).outcomes).toEqual({ failed: 1 });

    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '900' } });
    const limited = await refresh();

    expect(limited).toMatchObject({
      outcomes: { gone: 1 },
      stillDue: 1,
      retryAfterSeconds: expect.any(Number),
    });
    expect(
      await work.database.query(
        `SELECT item, outcome, failures, next_check_at > ledger_now() + interval '50 minutes' AS "isLate"
         FROM source_reading ORDER BY item`,
      ),
    ).toEqual([
      { item: 'npm:a', outcome: 'failed', failures: 1, isLate: true },
      { item: 'npm:b', outcome: null, failures: 0, isLate: false },
      { item: 'pypi:b', outcome: 'gone', failures: 0, isLate: true },
    ]);
  });

  itAtNight('asks for no name that a registry does not allow', async () => {
    await work.store(listing('acme/robot', { npmPackage: 'no such name' }));

    await refresh();

    expect(work.standIn.requests).toEqual([]);
    expect(await packagesOf('acme/robot')).toMatchObject({ npm: 'no such name', isMissing: true });
  });
});
