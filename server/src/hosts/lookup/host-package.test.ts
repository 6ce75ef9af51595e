import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packument, project, projectIndex } from '../../../testing/stand-ins/package-records.ts';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { readPackument } from '../readers/npm-package.ts';
import { repositoryAddress } from '../readers/package-reading.ts';
import { readProject } from '../readers/pypi-package.ts';
import { type PackageRequest, readHostPackage } from './host-package.ts';

let standIn: StandInHost;
let hosts: Hosts;

beforeAll(async () => {
  standIn = await startStandInHost();
  hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
  });
});
afterEach(() => {
  expect(standIn.calm()).toBe(0);
  standIn.world.packages.length = 0;
  standIn.requests.length = 0;
});
afterAll(async () => {
  await hosts.close();
  await standIn.close();
});

const read = (ecosystem: PackageRequest['ecosystem'], name: string, etag: string | null = null) =>
  readHostPackage(hosts, { ecosystem, name, etag });

async function failureOf(reading: Promise<unknown>): Promise<HostFailure> {
  const failure = await reading.then(() => null).catch((error: unknown) => error);
  if (!(failure instanceof HostFailure)) throw new Error('the reading did not fail as a host');
  return failure;
}

const FIRST = { version: '1.0.0', at: '2026-01-02T03:04:05.678Z' };
const SECOND = { version: '1.1.0', at: '2026-03-04T05:06:07.890Z' };
const REPOSITORY = { type: 'git', url: 'git+https://github.com/acme/robot.git', directory: 'packages/robot' };

describe('a package of npm', () => {
  const robot = (record: object, more: object = {}) =>
    standIn.world.package({ api: 'npm', name: '@acme/robot', users: [], record, ...more });

  it('is read with its latest stable version, its repository and its downloads', async () => {
    const beta = { version: '2.0.0-beta.1', at: '2026-05-01T00:00:00Z' };
    const releases = [FIRST, { ...SECOND, repository: REPOSITORY }, beta];
    robot(packument('@acme/robot', releases, { 'dist-tags': { latest: '1.1.0', next: '2.0.0-beta.1' } }), {
      downloads: 4_321,
    });

    const { reading, monthlyDownloads } = await read('npm', '@acme/robot');

    expect(reading).toEqual({
      name: '@acme/robot',
      version: '1.1.0',
      releasedAt: '2026-03-04T05:06:07.890Z',
      repositoryUrls: ['git+https://github.com/acme/robot.git'],
      provenance: 'none',
      deprecated: false,
      defaultVersion: null,
      versionTimes: {
        '1.0.0': '2026-01-02T03:04:05.678Z',
        '1.1.0': '2026-03-04T05:06:07.890Z',
        '2.0.0-beta.1': '2026-05-01T00:00:00.000Z',
      },
      modifiedAt: '2026-05-01T00:00:00.000Z',
    });
    expect(monthlyDownloads).toBe(4_321);
    expect(standIn.requests.map(({ path }) => path)).toEqual([
      '/npm/%40acme%2Frobot',
      '/npm_downloads/downloads/point/last-month/%40acme/robot',
    ]);
  });

  it.each([
    ['2.0.0-beta.1', '1.1.0', '2.0.0-beta.1'],
    ['1.0.0', '1.0.0', null],
    ['3.0.0-gone.1', '1.1.0', null],
  ])(
    'tagged %s has the latest stable version %s, and installs %s',
    async (latest, version, defaultVersion) => {
      const beta = { version: '2.0.0-beta.1', at: '2026-05-01T00:00:00Z' };
      robot(packument('@acme/robot', [FIRST, SECOND, beta], { 'dist-tags': { latest } }));

      const { reading } = await read('npm', '@acme/robot');

      expect(reading).toMatchObject({ version, defaultVersion });
    },
  );

  it.each([
    ['attested, if its version is', [FIRST, { ...SECOND, attested: true }], 'attested'],
    ['lost, if only an earlier one is', [{ ...FIRST, attested: true }, SECOND], 'lost'],
    ['none, if a later one is', [SECOND, { ...FIRST, at: '2025-01-01T00:00:00Z' }], 'none'],
  ])('has a provenance that is %s', async (_, releases, expected) => {
    const stated =
      expected === 'none' ? releases.map((each, at) => ({ ...each, attested: at === 0 })) : releases;
    robot(packument('@acme/robot', stated));

    expect((await read('npm', '@acme/robot')).reading?.provenance).toBe(expected);
  });

  it('is deprecated by a text on its version, and has no downloads if their host fails', async () => {
    robot(packument('@acme/robot', [FIRST, { ...SECOND, deprecated: 'use @acme/other' }]));

    expect(await read('npm', '@acme/robot')).toMatchObject({
      reading: { deprecated: true },
      monthlyDownloads: null,
    });
  });

  it('is read without downloads if their host gives another answer than documented', async () => {
    robot(packument('@acme/robot', [FIRST]), { downloads: Number.NaN });

    expect(await read('npm', '@acme/robot')).toMatchObject({
      reading: { version: '1.0.0' },
      monthlyDownloads: null,
    });
  });

  it('is asked for with the validator of the last answer, and reports when nothing changed', async () => {
    const record = robot(packument('@acme/robot', [FIRST]));
    const { validators } = await read('npm', '@acme/robot');
    const unchanged = await read('npm', '@acme/robot', validators.etag);
    record.record = packument('@acme/robot', [FIRST, SECOND]);
    const changed = await read('npm', '@acme/robot', validators.etag);

    expect(unchanged.reading).toBeNull();
    expect(changed.reading?.version).toBe('1.1.0');
  });

  it('is read in its short form if its record is too large', async () => {
    robot(
      packument('@acme/robot', [{ ...SECOND, repository: 'github:acme/robot', attested: true }], {
        time: null,
      }),
    );
    standIn.trouble({
      kind: 'answer',
      status: 200,
      headers: { etag: '"x"' },
      body: `"${'x'.repeat(16_800_000)}"`,
    });

    const { reading, validators } = await read('npm', '@acme/robot');

    expect(reading).toMatchObject({
      version: '1.1.0',
      releasedAt: null,
      provenance: 'attested',
      repositoryUrls: ['https://github.com/acme/robot'],
    });
    expect(validators).toEqual({ etag: null, lastModified: null });
    expect(standIn.requests[1]?.headers.accept).toBe('application/vnd.npm.install-v1+json');
  });

  it('is missing if no version of it is left', async () => {
    robot(packument('@acme/robot', [], { time: { unpublished: { time: '2026-01-01T00:00:00Z' } } }));

    expect((await failureOf(read('npm', '@acme/robot'))).kind).toBe('not_found');
  });

  it('has no version while all of them are pre-releases', () => {
    const record = packument('robot', [
      { version: '0.0.1-security', at: '2026-01-01T00:00:00Z', repository: 'npm/security-holder' },
    ]);

    expect(readPackument(record, 'npmjs.com')).toMatchObject({
      version: null,
      releasedAt: null,
      provenance: null,
    });
  });
});

describe('a project of PyPI', () => {
  const robot = (record: object, index?: object) =>
    standIn.world.package({ api: 'pypi', name: 'Acme_Robot', users: [], record, ...(index && { index }) });
  const urls = {
    Documentation: 'https://acme.example',
    'Source Code': 'https://github.com/acme/robot/tree/main/py',
  };

  it('is read in any spelling of its name, with its repository and its provenance', async () => {
    robot(
      project('Acme_Robot', SECOND, urls),
      projectIndex('Acme_Robot', [FIRST, { ...SECOND, attested: true }]),
    );

    const { reading, monthlyDownloads } = await read('pypi', 'acme.robot');

    expect(reading).toEqual({
      name: 'Acme_Robot',
      version: '1.1.0',
      releasedAt: '2026-03-04T05:06:07.890Z',
      repositoryUrls: ['https://github.com/acme/robot'],
      provenance: 'attested',
      deprecated: false,
      defaultVersion: null,
      versionTimes: { '1.1.0': '2026-03-04T05:06:07.890Z' },
      modifiedAt: '2026-03-04T05:06:07.890Z',
    });
    expect(monthlyDownloads).toBeNull();
  });

  it.each([
    ['lost', [{ ...FIRST, attested: true }, SECOND], 'lost'],
    [
      'not lost against a pre-release',
      [{ version: '1.1.0rc1', at: FIRST.at, attested: true }, SECOND],
      'none',
    ],
  ])('has a provenance that is %s', async (_, releases, expected) => {
    robot(project('Acme_Robot', SECOND), projectIndex('Acme_Robot', releases));

    expect((await read('pypi', 'acme-robot')).reading?.provenance).toBe(expected);
  });

  it('has an unknown provenance without an index, and is deprecated if its version is yanked', async () => {
    robot(project('Acme_Robot', { ...SECOND, yanked: true }));

    expect((await read('pypi', 'acme-robot')).reading).toMatchObject({ provenance: null, deprecated: true });
  });

  it.each([
    ['1.0.0', true],
    ['2!1.0.post1', true],
    ['1.0rc1', false],
    ['1.0.dev3', false],
    ['2024.1b2', false],
  ])('has the version %s only if it is final', (version, isFinal) => {
    const { version: read } = readProject(project('robot', { ...FIRST, version }), 'pypi.org');

    expect(read).toBe(isFinal ? version : null);
  });

  it('names its repository by the labels of the source before those of the home page', () => {
    const stated = {
      Homepage: 'https://acme.example',
      Repository: 'https://github.com/acme/robot',
      GitHub: 'acme/x',
    };

    expect(readProject(project('robot', FIRST, stated), 'pypi.org').repositoryUrls).toEqual([
      'https://github.com/acme/robot',
      'https://acme.example',
    ]);
  });
});

describe('what a registry may answer instead', () => {
  const json = (value: unknown) => ({ kind: 'answer', status: 200, body: JSON.stringify(value) }) as const;

  it.each([
    ['404', { kind: 'answer', status: 404 }, 'not_found'],
    ['a page in place of 404', { kind: 'answer', status: 404, body: '<html>' }, 'unusable'],
    ['403', { kind: 'answer', status: 403 }, 'unavailable'],
    ['500', { kind: 'answer', status: 500 }, 'unavailable'],
    ['no answer', { kind: 'hang_up' }, 'unavailable'],
    ['304 unasked', { kind: 'answer', status: 304 }, 'unusable'],
    ['no JSON', { kind: 'answer', status: 200, body: '<html>' }, 'unusable'],
    ['another package', json({ ...packument('stranger', [FIRST]), ...project('stranger', FIRST) }), 'moved'],
    ['no object', json([1]), 'unusable'],
    ['wrong types', json({ name: 7, versions: [], info: [] }), 'unusable'],
    [
      'a way to another host',
      { kind: 'answer', status: 302, headers: { location: 'https://a.example/' } },
      'moved',
    ],
  ] as const)('%s becomes a failure that quotes nothing of it', async (_, trouble, kind) => {
    for (const [ecosystem, host] of [
      ['npm', 'npmjs.com'],
      ['pypi', 'pypi.org'],
    ] as const) {
      standIn.trouble(trouble);

      const failure = await failureOf(read(ecosystem, 'robot'));

      expect([ecosystem, failure.kind]).toEqual([ecosystem, kind]);
      expect(failure.message.startsWith(host)).toBe(true);
      expect(failure.message).not.toMatch(/stranger|<html>/);
    }
  });

  it('429 asks for a rest of so many seconds', async () => {
    standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '17' } });

    const failure = await failureOf(read('npm', 'robot'));

    expect([failure.kind, failure.retryAfterSeconds]).toEqual(['limited', 17]);
  });

  it('has parts of wrong types, which count as unknown', () => {
    const versions = { '1.0.0': { dist: 7, deprecated: [], repository: [] }, bad: null, '2.0.0': 'x' };
    const record = { name: 'robot', versions, 'dist-tags': { latest: {} }, time: { '1.0.0': 'yesterday' } };

    expect(readPackument(record, 'npmjs.com')).toEqual({
      name: 'robot',
      version: '1.0.0',
      releasedAt: null,
      repositoryUrls: [],
      provenance: null,
      deprecated: false,
      defaultVersion: null,
      versionTimes: null,
      modifiedAt: null,
    });
  });
});

it.each([
  ['acme/robot', 'https://github.com/acme/robot'],
  ['github:acme/robot', 'https://github.com/acme/robot'],
  ['gitlab:acme/robot#main', 'https://gitlab.com/acme/robot'],
  ['gist:11081aaa281', 'gist:11081aaa281'],
  ['git@github.com:acme/robot.git', 'git@github.com:acme/robot.git'],
  ['https://github.com/acme/robot/tree/main/packages/x', 'https://github.com/acme/robot'],
  ['https://gitlab.com/acme/robot/-/tree/main', 'https://gitlab.com/acme/robot'],
  ['https://github.com/acme/robot/#readme', 'https://github.com/acme/robot'],
  ['', null],
  [7, null],
])('the repository %j is at %j', (stated, expected) => {
  expect(repositoryAddress(stated)).toBe(expected);
});
