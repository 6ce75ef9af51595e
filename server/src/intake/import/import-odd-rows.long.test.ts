import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { rowVersions } from '../../../testing/import/registry-state.ts';
import { account, listing, type Row, relation } from '../../../testing/import/rows.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { sampleFiles } from './import-files.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

const oddValues = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '🧲',
    'İ'.repeat(400),
    'a'.repeat(200_000),
    '../../..',
    'a/b',
    'x/y#z',
    '~a/b',
    'a/b~1',
  ),
  fc.constantFrom<unknown>(
    0,
    -0,
    -1,
    1.5,
    2 ** 53 - 1,
    2 ** 53,
    1e308,
    true,
    false,
    [],
    {},
    [null],
    ['a', 'a'],
    ['a/b'],
    { a: {} },
  ),
  fc.constantFrom<unknown>(
    'agent',
    'skill',
    'plugin',
    'fork_of',
    'renamed_to',
    'npm',
    'https://a.example/',
    '9999-12-31',
    '0001-01-01T00:00:00Z',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
);

/** Accounts with many facts; every third has an id of its platform, and some share handles and ids. */
const accounts = Array.from({ length: 60 }, (_, n) =>
  account(
    ['x', 'telegram', 'mastodon'][n % 3] ?? 'x',
    n % 3 === 2 ? `@user_${n}@a.example` : `user_${n % 50}`,
    {
      type: n % 3 === 1 ? 'messaging_account' : 'social_account',
      platformAccountId: n % 3 === 0 ? `${n % 45}` : null,
      ownerHandle: 'microsoft',
      formerHandles: [`before_${n}`],
      createdAt: '2020-01-01',
      audience: n * 1_000,
      engagement: n / 1_000,
      verifiedMark: n % 2 === 0,
      crossLink: 'one',
      observedAt: '2026-08-22',
    },
  ),
);

/** Returns rows of the sample, and accounts, with some fields replaced, removed or added. */
async function oddRows(): Promise<Row[]> {
  const texts = await Promise.all(sampleFiles().map((path) => readFile(path, 'utf8')));
  const rows = texts
    .flatMap((text) => text.trimEnd().split('\n').slice(0, 120))
    .map((line) => JSON.parse(line) as Row)
    .concat(accounts);
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const change = fc.tuple(fc.constantFrom(...fields), fc.option(oddValues, { nil: undefined }));
  const odd = fc.tuple(fc.constantFrom(...rows), fc.array(change, { minLength: 0, maxLength: 2 }));
  return fc
    .sample(odd, { numRuns: fewerUnlessNightly(600, 1500), seed: 20_261_121 })
    .map(([row, changes]) => ({ ...row, ...Object.fromEntries(changes) }));
}

/** Returns incompressible text of three-byte characters. */
function incompressible(length: number): string {
  const character = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code));
  const [text = ''] = fc.sample(fc.string({ unit: character, minLength: length, maxLength: length }), {
    numRuns: 1,
    seed: 20_261_122,
  });
  return text;
}

it('a text too long for an index is rejected, and the longest accepted one fits', async () => {
  const end = (repository: string) => `${repository}#${incompressible(337)}`;

  await work.store(
    listing('acme/short', { name: incompressible(341) }),
    listing('acme/long', { name: incompressible(342) }),
    relation('fork_of', end('acme/short'), end('acme/other'), { source: incompressible(180) }),
    relation(incompressible(64), end('acme/short'), end('acme/another'), { source: incompressible(200) }),
  );

  expect((await work.rejects()).map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '2 name: longer than 1024 bytes',
    '4 type, from, to and source are longer than 2600 bytes together',
  ]);
});

itAtNight(
  'no row stops an import: each is stored or rejected with a reason, and a second run changes nothing',
  async () => {
    const rows = await oddRows();

    const first = await work.store(...rows);
    const rejects = await work.rejects();
    const versions = await rowVersions(work.database);
    const second = await work.store(...rows);

    for (const { read, added, changed, unchanged, rejected } of Object.values(first.kinds)) {
      expect(read).toBe(added + changed + unchanged + rejected);
    }
    const total = (kind: 'read' | 'added' | 'rejected') =>
      Object.values(first.kinds).reduce((sum, counts) => sum + counts[kind], 0);
    expect(total('read')).toBe(rows.length);
    expect(total('rejected')).toBe(rejects.length);
    expect(total('added')).toBeGreaterThan(100);
    expect(total('rejected')).toBeGreaterThan(100);
    expect(second.scored).toBe(0);
    expect(await rowVersions(work.database)).toEqual(versions);
  },
);
