import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState, rowVersions } from '../../../testing/import/registry-state.ts';
import { artifact, creator, listing, relation } from '../../../testing/import/rows.ts';
import { IS_NIGHTLY } from '../../../testing/nightly.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { sampleFiles } from './import-files.ts';
import type { ImportSummary } from './import-summary.ts';
import { ImportRefused } from './source-files.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

/** Owners whose rows are in the heap, by first letter; at night, all of them. */
const OWNERS = IS_NIGHTLY ? /^/ : /^[a-c]/i;

function isInHeap(line: string): boolean {
  const { repository, from, to, handle } = JSON.parse(line) as Record<string, unknown>;
  return [repository, from, to, handle].every((name) => typeof name !== 'string' || OWNERS.test(name));
}

/** Returns shuffled rows of all kinds, some of them invalid; the same seed gives the same rows. */
async function heapOfRows(seed: number): Promise<string[]> {
  const files = await Promise.all(sampleFiles().map((path) => readFile(path, 'utf8')));
  const lines = files.flatMap((text) => text.trimEnd().split('\n')).filter(isInHeap);
  const bad = [
    'no JSON',
    JSON.stringify(artifact('nobody/nothing', 'lost')),
    JSON.stringify(relation('fork_of', 'nobody/one', 'nobody/two')),
    JSON.stringify(listing('acme/negative', { stars: -1 })),
    JSON.stringify({ platform: 'somewhere', handle: 'account' }),
  ];
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return [...lines, ...bad]
    .map((line) => ({ line, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

async function stopClock(workspace: ImportWorkspace): Promise<void> {
  await replaceClock(workspace.database);
  await setClock(workspace.database, '2026-11-21T00:00:00Z');
}

describeAtNight('importFiles with the sample', () => {
  let sample: ImportWorkspace;
  let summary: ImportSummary;
  beforeAll(async () => {
    sample = await createImportWorkspace();
    summary = await sample.run(sampleFiles());
  });
  afterAll(() => sample.close());

  it('stores it to the last row with a score for each listing and artifact', async () => {
    expect(summary.finished).toBe(true);
    expect(summary.reasons).toEqual({});
    expect(summary.kinds.listing).toEqual({ read: 350, added: 350, changed: 0, unchanged: 0, rejected: 0 });
    for (const { read, added } of Object.values(summary.kinds)) expect(added).toBe(read);
    const [counts] = await sample.database.query(`SELECT
      (SELECT count(*) FROM listing) AS listings, (SELECT count(*) FROM listing_rank WHERE trust IS NULL) AS unscored,
      (SELECT count(*) FROM artifact) + (SELECT count(*) FROM artifact_other_name) AS artifacts,
      (SELECT count(*) FROM artifact a JOIN subject s ON s.id = a.subject_id WHERE s.current_version IS NULL) AS bare,
      (SELECT count(*) FROM listing WHERE parent_id IS NOT NULL) AS children`);
    expect(counts).toMatchObject({
      listings: 350,
      unscored: 0,
      artifacts: summary.kinds.artifact.read,
      bare: 0,
    });
    expect((counts as { children: number }).children).toBeGreaterThanOrEqual(5);
  });

  it('writes no row the second time', async () => {
    const before = await rowVersions(sample.database);

    const again = await sample.run(sampleFiles());

    expect(await rowVersions(sample.database)).toEqual(before);
    expect(again.scored).toBe(0);
    for (const { read, unchanged } of Object.values(again.kinds)) expect(unchanged).toBe(read);
  });
});

describe('importFiles ends with the same registry', () => {
  let heap: string[];
  /** Registry into which all rows were imported at once. */
  let whole: ImportWorkspace;
  let summary: ImportSummary;
  beforeAll(async () => {
    heap = await heapOfRows(3);
    whole = await createImportWorkspace();
    await stopClock(whole);
    summary = await whole.run([await whole.file(heap)]);
  });
  afterAll(() => whole.close());
  beforeEach(() => stopClock(work));

  const expectSameRegistry = async (inParts: ImportSummary) => {
    expect(inParts.kinds).toEqual(summary.kinds);
    expect(inParts.reasons).toEqual(summary.reasons);
    expect(await registryState(work.database)).toEqual(await registryState(whole.database));
  };
  const expectSameRejects = async () =>
    expect(byLine(await work.rejects())).toEqual(byLine(await whole.rejects()));

  it('in whatever order lines and files come', async () => {
    const shuffled = await heapOfRows(99);
    const cut = Math.round(shuffled.length * 0.4);
    const [first, second] = [await work.file(shuffled.slice(cut)), await work.file(shuffled.slice(0, cut))];

    await expectSameRegistry(await work.run([first, second]));
  });

  it('and the same rejects after interruptions at any batch', async () => {
    const files = [await work.file(heap)];

    let interruptions = 0;
    let resumed = await work.run(files, { signal: abortedAfter(1) });
    while (!resumed.finished) {
      interruptions += 1;
      expect(work.shown.at(-1)).toMatch(/^Interrupted/);
      resumed = await work.run(files, { signal: abortedAfter(interruptions) });
    }

    expect(interruptions).toBeGreaterThan(2);
    expect(resumed.resumed).toBe(true);
    await expectSameRegistry(resumed);
    await expectSameRejects();
  });

  it('and the same rejects after failing batches, which are rolled back', async () => {
    const files = [await work.file(heap)];
    const share = (part: number) => Math.round(heap.length * part);

    await expect(work.run(files, { backend: breakingAfter(share(0.11)) })).rejects.toThrow('power cut');
    await expect(work.run(files, { backend: breakingAfter(share(0.32)) })).rejects.toThrow('power cut');

    await expectSameRegistry(await work.run(files));
    await expectSameRejects();
  });
});

describe('importFiles', () => {
  itAtNight(
    'starts again if the rejects of the interrupted run are missing, so that the file is complete',
    async () => {
      const heap = await heapOfRows(3);
      const files = [await work.file(heap)];
      const creatorsDone = () => work.shown.some((line) => /^creators: .* in /.test(line));
      await work.run(files, { signal: abortedAfter(3, creatorsDone) });
      const rejects = byLine(await work.rejects());
      await work.database.query('UPDATE import_progress SET rejects_bytes = 1000000');

      const summary = await work.run(files);

      expect(summary.resumed).toBe(false);
      expect(summary.kinds.listing.unchanged).toBeGreaterThan(0);
      expect(byLine(await work.rejects())).toEqual(expect.arrayContaining(rejects));
      expect(await work.rejects()).toHaveLength(5);
    },
  );

  itAtNight('refuses to run concurrently with another process on the same files', async () => {
    const files = [await work.file(await heapOfRows(3))];
    await work.run(files, { signal: abortedAfter(2) });
    const meddling: ScoringBackend = {
      source: embeddedBackend.source,
      score: async (request, signal) => {
        await work.database.query('UPDATE import_progress SET step = step + 1');
        return embeddedBackend.score(request, signal);
      },
    };

    await expect(work.run(files, { backend: meddling })).rejects.toThrow(ImportRefused);
  });

  it('reports every rejected line with its number and reason, and the counts add up', async () => {
    const summary = await work.store(
      listing('acme/good', { stars: 5 }),
      '',
      'not JSON',
      '[]',
      listing('acme/fraction', { forks: 1.5 }),
      listing('acme/control', { description: 'a\u0007b' }),
      listing('acme/link', { homepage: 'javascript:alert(1)' }),
      listing('no-slash', { name: 'no slash' }),
      listing('acme/good', { stars: 6 }),
      listing('ACME/Good', { stars: 5 }),
      artifact('acme/missing', 'thing'),
      relation('fork_of', 'acme/good#a', 'ACME/good#b'),
      { platform: 'x', name: 'somebody', host: 'x.example' },
      creator('acme', { starsSum: -5 }),
    );

    const rejects = await work.rejects();
    expect(
      rejects
        .map(({ line, code, reason }) => `${line} ${code}: ${reason}`)
        .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    ).toEqual([
      '3 unreadable: not valid JSON',
      '4 unreadable: not a JSON object',
      '5 invalid: forks: must be a whole number of 0 or more',
      '6 invalid: description: contains a control character',
      '7 invalid: homepage: must be an http or https address',
      '8 invalid: repository: must be owner/name',
      '9 repeated: an earlier line is about the same (1.ndjson, line 1)',
      '10 repeated: an earlier line is about the same (1.ndjson, line 1)',
      '11 not_listed: its repository is not listed',
      '12 invalid: both ends are in one repository',
      '13 unknown_kind: unknown kind of row',
      '14 invalid: starsSum: must be a whole number of 0 or more',
    ]);
    expect(rejects.every(({ file, row }) => file === '1.ndjson' && row.length > 0)).toBe(true);
    expect(summary.kinds.listing).toEqual({ read: 7, added: 1, changed: 0, unchanged: 0, rejected: 6 });
    for (const { read, added, changed, unchanged, rejected } of Object.values(summary.kinds)) {
      expect(read).toBe(added + changed + unchanged + rejected);
    }
    expect(Object.values(summary.reasons).reduce((sum, count) => sum + count, 0)).toBe(rejects.length);
  });

  it('counts a repeated line as unchanged, and imports a file named twice once', async () => {
    const row = listing('acme/twice');
    const file = await work.file([row, row]);

    const summary = await work.run([file, file]);

    expect(summary.kinds.listing).toEqual({ read: 2, added: 1, changed: 0, unchanged: 1, rejected: 0 });
  });

  it('leaves scores to a remote backend, which is called outside of any transaction', async () => {
    let inTransaction = 0;
    const remote: ScoringBackend = {
      source: 'scores.example',
      score: async (request, signal) => {
        const [row] = await work.database.query<{ count: number }>(
          `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
        );
        inTransaction += row?.count ?? 0;
        return embeddedBackend.score(request, signal);
      },
    };

    const summary = await work.run([await work.file([listing('acme/one'), listing('acme/two')])], {
      backend: remote,
    });

    expect(summary.scored).toBe(3);
    expect(inTransaction).toBe(0);
    const sources = await work.database.query('SELECT DISTINCT source FROM score');
    expect(sources).toEqual([{ source: 'scores.example' }]);
  });

  it.each([
    ['a missing file', ['/nowhere/missing.ndjson'], 'the file does not exist'],
    ['a folder', ['/tmp'], 'is not a file'],
    ['no file', [], 'no file to import'],
  ])('refuses %s with a message for the user', async (_, files, words) => {
    await expect(work.run(files)).rejects.toThrow(words);
    await expect(work.run(files)).rejects.toThrow(ImportRefused);
  });
});

/** Returns a signal that becomes aborted after this many reads from a certain point: one per batch and stage. */
function abortedAfter(looks: number, counts: () => boolean = () => true): AbortSignal {
  let left = looks;
  return {
    get aborted() {
      if (!counts()) return false;
      left -= 1;
      return left <= 0;
    },
  } as AbortSignal;
}

function breakingAfter(scores: number): ScoringBackend {
  let left = scores;
  return {
    source: embeddedBackend.source,
    score: (request, signal) => {
      left -= 1;
      if (left < 0) throw new Error('power cut');
      return embeddedBackend.score(request, signal);
    },
  };
}

function byLine(rejects: readonly { line: number; reason: string }[]): string[] {
  return rejects.map(({ line, reason }) => `${line} ${reason}`).sort();
}
