import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState, rowVersions } from '../../../testing/import/registry-state.ts';
import { listing, server } from '../../../testing/import/rows.ts';
import { packument, project } from '../../../testing/stand-ins/package-records.ts';

let work: ImportWorkspace;
const { lead, one } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.close());

const FIRST = { version: '1.0.0', at: '2026-01-02T03:04:05Z', repository: 'acme/robot' };
const SECOND = { version: '1.1.0', at: '2026-03-04T05:06:07Z', repository: 'acme/robot' };

const readings = () =>
  work.database.query(
    'SELECT ecosystem, name, outcome, version, host, repository FROM package_reading ORDER BY 1, 2',
  );

it('packuments of npm and projects of PyPI are recognised by their shape and stored as readings', async () => {
  const urls = { Source: 'https://github.com/acme/robot' };

  const { kinds } = await work.store(packument('@acme/robot', [FIRST]), project('Acme_Robot', SECOND, urls));

  expect(kinds.packument).toEqual({ read: 1, added: 1, changed: 0, unchanged: 0, rejected: 0 });
  expect(kinds.project).toEqual({ read: 1, added: 1, changed: 0, unchanged: 0, rejected: 0 });
  const at = { outcome: 'read', host: 'github.com', repository: 'acme/robot' };
  expect(await readings()).toEqual([
    { ecosystem: 'npm', name: '@acme/robot', version: '1.0.0', ...at },
    { ecosystem: 'pypi', name: 'acme-robot', version: '1.1.0', ...at },
  ]);
});

it('a reading of a file replaces no reading of a later release, and the same one writes nothing', async () => {
  const [early, late] = [packument('robot', [FIRST]), packument('robot', [FIRST, SECOND])];
  await work.store(early);
  const changed = await work.store(late);
  const before = await rowVersions(work.database);

  const unchanged = [await work.store(late), await work.store(early)];

  expect(changed.kinds.packument).toMatchObject({ changed: 1 });
  expect(unchanged.map(({ kinds }) => kinds.packument.unchanged)).toEqual([1, 1]);
  expect(await rowVersions(work.database)).toEqual(before);
  expect(await readings()).toMatchObject([{ version: '1.1.0' }]);
});

itAtNight(
  'a reading of a file counts as read at its last change, or when the operator says, but never in the future',
  async () => {
    const file = await work.file([packument('robot', [FIRST])]);
    const observed = () => work.database.query('SELECT utc_text(observed_at) AS at FROM package_reading');
    const times: unknown[] = [];
    for (const readAt of [undefined, '2025-12-31', '2026-02-03', '2026-02-03', '2999-01-01']) {
      await work.run([file], readAt === undefined ? {} : { readAt: new Date(readAt) });
      times.push(...(await observed()));
    }

    const at = ({ at: time }: { at: string }) => time.slice(0, 10);
    expect((times as { at: string }[]).map(at).slice(0, 4)).toEqual([
      '2026-01-02',
      '2026-01-02',
      '2026-02-03',
      '2026-02-03',
    ]);
    expect(Date.parse((times.at(-1) as { at: string }).at)).toBeLessThanOrEqual(Date.now());
    expect(work.shown).toContain('  packages of npm count as read at their last change');
    expect(work.shown).toContain(
      '  packages of npm count as read at 2026-02-03 00:00 UTC, as --read-at says',
    );
  },
);

itAtNight('a reading of a file with a stated time writes nothing the second time', async () => {
  const files = [
    await work.file([
      listing('acme/robot', { npmPackage: 'robot' }),
      server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']]),
      packument('robot', [FIRST]),
    ]),
  ];
  const readAt = new Date('2026-02-03');
  await work.run(files, { readAt });
  // Locks of subjects change their row versions, but nothing that is stored.
  const versions = async () =>
    (await rowVersions(work.database)).filter((row) => !row.startsWith('subject '));
  const before = await versions();

  await work.run(files, { readAt });

  expect(await versions()).toEqual(before);
  expect(
    await one(`SELECT observed_at AS at FROM observed_fact WHERE fact = 'published_package' AND $1 = ''`, ''),
  ).toEqual({ at: readAt });
});

it('a reading gives the published version of a package that the owner names, in any order of import', async () => {
  const rows = [
    listing('acme/robot', { npmPackage: 'robot' }),
    server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']]),
    packument('robot', [FIRST]),
  ];
  const states: unknown[] = [];
  for (const order of [rows, rows.toReversed()]) {
    for (const row of order) await work.store(row);
    expect(
      await one(
        `SELECT value ->> 'version' AS version, source FROM observed_fact WHERE fact = $1`,
        'published_package',
      ),
    ).toEqual({ version: '1.0.0', source: 'npm' });
    states.push(await registryState(work.database));
    await work.close();
    work = await createImportWorkspace();
  }

  expect(states[1]).toEqual(states[0]);
});

it('a package that was missing and is in a file leads to its listing again', async () => {
  await work.store(listing('acme/robot', { npmPackage: 'robot' }));
  await work.database.query(
    `INSERT INTO package_reading (ecosystem, name, outcome, observed_at)
     VALUES ('npm', 'robot', 'missing', '2026-02-01T00:00:00Z')`,
  );
  await work.store(listing('acme/robot', { npmPackage: 'robot', description: 'Other words.' }));
  expect(await lead('npm:robot')).toBe('subject_not_found');

  // The package was removed after this record.
  const older = await work.store(packument('robot', [FIRST]));
  expect(older.kinds.packument).toMatchObject({ changed: 0, unchanged: 1 });
  expect(await lead('npm:robot')).toBe('subject_not_found');

  await work.store(packument('robot', [FIRST, SECOND]));

  expect(await lead('npm:robot')).toBe('acme/robot');
});

itAtNight(
  'an older record takes back neither a deprecation nor a version that was read without its time',
  async () => {
    await work.database.query(
      `INSERT INTO package_reading (ecosystem, name, outcome, version, released_at, deprecated, observed_at)
     VALUES ('npm', 'robot', 'read', '1.1.0', '2026-03-04T05:06:07Z', true, '2026-05-01T00:00:00Z'),
       ('npm', 'timeless', 'read', '1.1.0', NULL, NULL, '2026-05-01T00:00:00Z')`,
    );

    await work.store(packument('robot', [FIRST, SECOND]), packument('timeless', [FIRST]));

    const deprecated = 'SELECT name, version, deprecated FROM package_reading ORDER BY 1';
    expect(await work.database.query(deprecated)).toEqual([
      { name: 'robot', version: '1.1.0', deprecated: true },
      { name: 'timeless', version: '1.1.0', deprecated: null },
    ]);
  },
);

it('what is no whole record goes to the rejects', async () => {
  const short = { ...packument('robot', [FIRST]), time: undefined };
  const { kinds } = await work.store(short, packument('no such name', [FIRST]), packument('empty', []), {
    ...project('robot', FIRST),
    info: { name: 'robot' },
  });

  expect([kinds.packument.rejected, kinds.project.rejected]).toEqual([3, 1]);
  expect((await work.rejects()).map(({ reason }) => reason).sort()).toEqual([
    'info.version: is missing',
    'name: must be a name that npm allows',
    'npm has no version of that package.',
    'time: is missing',
  ]);
});

itAtNight.each([
  ['no file', [], /^urls: a file must have upload_time_iso_8601 or upload_time, because /],
  ['a file without its time', [{ filename: 'robot-1.0.0.tar.gz' }], /^urls: a file must have /],
  ['a file with an unusable time', [{ filename: 'robot-1.0.0.tar.gz', upload_time: 'soon' }], /^urls: /],
])('a project with %s is rejected, and replaces no stored reading', async (_, urls, reason) => {
  await work.store(project('robot', SECOND));
  const before = await rowVersions(work.database);

  const { kinds } = await work.store({ ...project('robot', FIRST), urls });

  expect(kinds.project).toMatchObject({ changed: 0, rejected: 1 });
  expect((await work.rejects())[0]?.reason).toMatch(reason);
  expect(await rowVersions(work.database)).toEqual(before);
});

itAtNight('a packument without any time is rejected', async () => {
  const { kinds } = await work.store({ ...packument('robot', [FIRST]), time: {} });

  expect(kinds.packument).toMatchObject({ added: 0, rejected: 1 });
  expect((await work.rejects())[0]?.reason).toMatch(/^time: must have the time of a version, or `modified`/);
});

itAtNight('a project is dated by the oldest field of an upload, too', async () => {
  const urls = [{ filename: 'robot-1.0.0.tar.gz', upload_time: '2026-01-02T03:04:05' }];
  await work.store({ ...project('robot', FIRST), urls });

  const times =
    'SELECT utc_text(released_at) AS released, utc_text(observed_at) AS observed FROM package_reading';
  const at = '2026-01-02T03:04:05.000000Z';
  expect(await work.database.query(times)).toEqual([{ released: at, observed: at }]);
});
