import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { writeListings } from '../../testing/outdated-copies.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { makeListing } from '../../testing/subjects/registry.factory.ts';
import { MEASURED_METHODS } from '../scoring/validation/score-listing.ts';
import { validateMethods } from '../scoring/validation/validate-methods.ts';

const LABELS = [
  { subject: 'npm:evil-robot', label: 'bad', cluster: 'acme', scope: 'versions', group: 'test' },
  { subject: 'npm:gone', label: 'bad', cluster: 'gone', scope: 'package', group: 'test' },
  { subject: 'repo:acme/good', label: 'good', cluster: 'acme', group: 'docker/mcp-registry' },
];

let test: TestDatabase;
let folder: string;
let labels: string;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-labels-'));
  labels = await writeLabels(
    'labels.ndjson',
    LABELS.map((label) => JSON.stringify(label)),
  );
  await makeListing(test.database, { repository: 'acme/robot', npmPackage: 'evil-robot', license: 'none' });
  await makeListing(test.database, { repository: 'acme/good', stars: 5_000, forks: 300, license: 'MIT' });
  await addLists('acme/good', ['first/list', 'other/list'], 'other/list');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await test.close();
});

async function writeLabels(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

/** Stores the lists that name a listing, and the list from which the listing's metrics come. */
async function addLists(
  repository: string,
  sources: readonly string[],
  metricsSource: string,
): Promise<void> {
  const imported = JSON.stringify({ sources, metricsSource });
  await writeListings(test.database, 'UPDATE listing SET imported = $2::jsonb WHERE repository = $1', [
    repository,
    imported,
  ]);
}

function validate(...words: string[]) {
  return runCommandHere(['validate', ...words], { DATABASE_URL: test.url });
}

/** Counts the rows that scoring writes. */
async function countScores(): Promise<unknown> {
  return test.database.query(
    'SELECT (SELECT count(*) FROM score_version) AS versions, (SELECT count(*) FROM score_evidence) AS evidence',
  );
}

describe('validate', () => {
  it('prints coverage, warnings, what is not measurable, stability and the limits, and stores nothing', async () => {
    const before = await countScores();

    const { code, stdout } = await validate('--labels', labels);

    expect(code).toBe(0);
    expect(stdout).toContain('3 labels\nmethod rs-1.0.0: 2 of 2 listings scored');
    expect(stdout).toContain('method rs-2.0.0: 2 of 2 listings scored');
    expect(stdout).toContain('bad npm: 1 of 2 (2 clusters)');
    expect(stdout).toContain('bad labels not covered: 1; scope of the covered ones: 1 × versions');
    expect(stdout).toContain('false warnings on good: 0 of 1 have a warning');
    expect(stdout).toContain(
      'AUC and calibration, all: not measurable: n = 1 good and 1 bad; each side needs 30 in different clusters',
    );
    expect(stdout).toMatch(/first\/list: 1 listings, 0 only there; of the others 0 move/);
    expect(stdout).toMatch(/other\/list: 1 listings, 0 only there; of the others 1 move: trust [1-9]/);
    expect(stdout).toContain('Bad packages are gone from their registries');
    expect(stdout).not.toContain('bits;');
    expect(await countScores()).toEqual(before);
  });

  it('prints one JSON object with all figures, and the distribution on request', async () => {
    const { stdout } = await validate('--labels', labels, '--json');
    const report = JSON.parse(stdout);

    expect(report).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      labels: {
        rows: 3,
        malformed: 0,
        groups: [
          { group: 'test', rows: 2, source: 'test', licence: 'as its source says' },
          { group: 'docker/mcp-registry', rows: 1, source: 'docker/mcp-registry', licence: 'MIT' },
        ],
      },
      methods: [
        { method: 'rs-1.0.0', listings: 2, scored: 2 },
        { method: 'rs-2.0.0', listings: 2, scored: 2 },
      ],
    });
    expect(report.methods[0].distribution[0]).toMatchObject({
      listings: 'all',
      kind: 'all',
      rows: 2,
      entropyBits: 1,
    });

    const { code, stdout: text } = await validate('--distribution');

    expect(code).toBe(0);
    expect(text).toMatch(/all, every kind: 2; .+ has 50\.0%; 1\.00 bits; \d known only by lists; low 2; /);
    expect(text).not.toContain('recall');
  });

  it('reports malformed lines with their numbers, and measures the others', async () => {
    const [first = {}] = LABELS;
    const path = await writeLabels('odd.ndjson', [
      '{"subject"',
      '',
      JSON.stringify({ ...first, label: 'evil' }),
      JSON.stringify(first),
    ]);

    const { code, stdout, stderr } = await validate('--labels', path);

    expect(code).toBe(0);
    expect(stderr).toContain(`${path}:1: the line is not JSON`);
    expect(stderr).toContain(`${path}:3: label must be one of good, bad, suspect`);
    expect(stdout).toContain('1 labels, 2 malformed lines left out');
  });

  it('says what is wrong with its options and exits with 1', async () => {
    const empty = await writeLabels('empty.ndjson', ['{}']);

    for (const [words, problem] of [
      [[], 'add --labels FILE, --distribution or both'],
      [['--labels', join(folder, 'missing.ndjson')], 'missing.ndjson cannot be read'],
      [['--labels', folder], 'cannot be read'],
      [['--labels', empty], 'has no label'],
      [['--distribution', '--at', 'yesterday'], '--at yesterday is not a time'],
    ] as const) {
      expect(await validate(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
    }
  });
});

it('every method of the table is measured, from the same facts', async () => {
  const [method] = MEASURED_METHODS;
  if (method === undefined) throw new Error('there is no method');
  const next = { ...method, version: 'rs-next' };

  const { methods } = await validateMethods(test.database, { labels: null, methods: [method, next] });

  expect(methods.map((figures) => figures.method)).toEqual(['rs-1.0.0', 'rs-next']);
  expect(methods[1]).toEqual({ ...methods[0], method: 'rs-next' });
  expect(methods[0]?.labelled).toBeNull();
});

it('computes ages from a given time', async () => {
  const at = new Date('2026-08-23T00:00:00Z');

  const early = await validateMethods(test.database, { labels: null, at });
  const late = await validateMethods(test.database, { labels: null, at: new Date('2029-08-23T00:00:00Z') });

  expect(early.date).toBe('2026-08-23');
  expect(early.methods[1]?.distribution[0]?.commonestPair).not.toBe(
    late.methods[1]?.distribution[0]?.commonestPair,
  );
});
