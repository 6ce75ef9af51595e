import { describe, expect, it } from 'vitest';
import { osvRecord } from '../../../testing/advisories/sample-advisories.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { isAboutAdvisories, parseAdvisories } from './parse-advisories.ts';

const FILE_TIME = '2026-11-20T00:00:00.000Z';
const parse = (document: object) => parseAdvisories(JSON.stringify(document), FILE_TIME);

const ENTRY = {
  id: 'campaign-2026-06-17-npm-notes-mcp',
  name: 'notes-mcp (a campaign)',
  ecosystem: 'npm',
  package: 'notes-mcp',
  versions: ['1.2.0', '1.2.1'],
  severity: 'critical',
  source: 'https://example.com/campaign',
};
const catalogue = (...entries: object[]) => ({ schema_version: '0.2.0', entries });

const DISPUTE = {
  advisory: 'MAL-2026-2037',
  package: 'npm:@emilgroup/auth-sdk-node',
  versions: ['1.25.0', '1.26.0'],
  reason: 'published by the maintainers after the incident',
  url: 'https://github.com/ossf/malicious-packages/issues/1445',
  stated_at: '2026-08-13T00:00:00Z',
};

describe('an exposure catalogue', () => {
  it('gives one advisory per entry, with the source, the address and the day of its id', () => {
    expect(parse(catalogue(ENTRY, { ...ENTRY, id: 'other', versions: ['*'] }))).toMatchObject([
      {
        kind: 'advisory',
        row: {
          id: ENTRY.id,
          source: 'Bumblebee exposure catalogue',
          url: 'https://example.com/campaign',
          summary: 'notes-mcp (a campaign)',
          severity: 'critical',
          category: 'malware',
          publishedAt: '2026-06-17T00:00:00.000Z',
          modifiedAt: '2026-06-17T00:00:00.000Z',
          problem: null,
          packages: [{ ecosystem: 'npm', name: 'notes-mcp', versions: ['1.2.0', '1.2.1'], intervals: [] }],
        },
      },
      {
        kind: 'advisory',
        row: {
          id: 'other',
          modifiedAt: FILE_TIME,
          publishedAt: null,
          packages: [{ versions: [], intervals: [] }],
        },
      },
    ]);
  });

  it('is read where it breaks its schema, and says how', async () => {
    const rows: readonly [document: object, problem: RegExp][] = [
      [{ ...catalogue(ENTRY), schema_version: '0.1.0' }, /^schema_version: is not 0\.2\.0/],
      [catalogue({ ...ENTRY, package: '@@antv/a8' }), /^entries\.package: begins with @@/],
      [catalogue({ ...ENTRY, versions: ['1.0.0', '*'] }), /^entries\.versions: has \* among other versions/],
    ];

    await expectEveryRow(
      rows,
      ([, problem]) => String(problem),
      ([document, problem]) =>
        expect(parse(document)).toMatchObject([
          { kind: 'advisory', row: { problem: expect.stringMatching(problem) } },
        ]),
    );
  });

  it('rejects entries that name no package or version, and passes over other ecosystems', async () => {
    const rows: readonly [entry: object, expected: object][] = [
      [
        { ...ENTRY, id: '' },
        { kind: 'rejected', reason: expect.stringMatching(/^entries\.id/) },
      ],
      [
        { ...ENTRY, package: 'a b' },
        { kind: 'rejected', reason: expect.stringMatching(/^entries\.package/) },
      ],
      [
        { ...ENTRY, versions: [] },
        { kind: 'rejected', reason: expect.stringMatching(/^entries\.versions/) },
      ],
      [
        { ...ENTRY, ecosystem: 1 },
        { kind: 'rejected', reason: expect.stringMatching(/^entries\.ecosystem/) },
      ],
      [
        { ...ENTRY, ecosystem: 'editor-extension' },
        { kind: 'advisory', row: { packages: [] } },
      ],
    ];

    await expectEveryRow(
      rows,
      ([entry]) => JSON.stringify(entry),
      ([entry, expected]) => expect(parse(catalogue(entry))).toMatchObject([expected]),
    );
  });
});

describe('a dispute', () => {
  it('names the record, the package, its versions and the statement', () => {
    expect(parse(DISPUTE)).toEqual([
      {
        kind: 'dispute',
        dispute: {
          advisoryId: 'MAL-2026-2037',
          ecosystem: 'npm',
          name: '@emilgroup/auth-sdk-node',
          versions: ['1.25.0', '1.26.0'],
          reason: 'published by the maintainers after the incident',
          url: 'https://github.com/ossf/malicious-packages/issues/1445',
          statedAt: '2026-08-13T00:00:00.000Z',
          withdrawnAt: null,
        },
      },
    ]);
  });

  it.each([
    [{ versions: [] }, /^versions/],
    [{ url: 'javascript:alert(1)' }, /^url/],
    [{ stated_at: 'in August' }, /^stated_at/],
    [{ package: 'gem:rails' }, /^package/],
  ])('is rejected with %j', (change, reason) => {
    expect(parse({ ...DISPUTE, ...change })).toMatchObject([
      { kind: 'rejected', reason: expect.stringMatching(reason) },
    ]);
  });

  it('is read from the fields of a record: of a package, of a list, or of the whole record', async () => {
    const affected = (specific: object) => ({
      affected: [
        {
          package: { ecosystem: 'npm', name: 'a' },
          versions: ['1.0.0', '2.0.0'],
          database_specific: specific,
        },
        { package: { ecosystem: 'npm', name: 'b' }, versions: ['1.0.0'] },
      ],
    });
    const rows: readonly [changes: object, disputed: boolean, versions: string[]][] = [
      [affected({}), false, []],
      [affected({ disputed: true }), false, ['1.0.0', '2.0.0']],
      [affected({ disputed_versions: ['2.0.0'] }), false, ['2.0.0']],
      [{ ...affected({}), database_specific: { disputed: true } }, true, []],
    ];

    await expectEveryRow(
      rows,
      ([changes]) => JSON.stringify(changes),
      ([changes, disputed, versions]) =>
        expect(parse(osvRecord('MAL-1', 'a', changes))).toMatchObject([
          { row: { disputed, packages: [{ disputedVersions: versions }, { disputedVersions: [] }] } },
        ]),
    );
  });
});

it('recognises records, catalogues and disputes, and nothing else', async () => {
  const rows: readonly [value: unknown, isAbout: boolean][] = [
    [osvRecord('MAL-1', 'a'), true],
    [catalogue(ENTRY), true],
    [DISPUTE, true],
    [{ repository: 'a/b', name: 'x' }, false],
    [{ entries: [] }, false],
    [[DISPUTE], false],
    [null, false],
  ];

  await expectEveryRow(
    rows,
    ([value]) => JSON.stringify(value),
    ([value, isAbout]) => expect(isAboutAdvisories(value)).toBe(isAbout),
  );
});
