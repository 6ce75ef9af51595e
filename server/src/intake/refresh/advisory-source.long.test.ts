import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, type SampleRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { listing, server } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { judgePackages } from '../../catalog/advisories/judge-packages.ts';
import { readPackage } from '../../catalog/advisories/read-package.ts';
import { advisorySource } from './advisory-source.ts';
import { createRefreshJob } from './refresh-run.ts';
import { type RefreshRunOptions, type RefreshSummary, refreshSource } from './refresh-source.ts';

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

/** Refreshes what is due in a folder of the bucket. */
async function refresh(options: Partial<RefreshRunOptions> = {}, folder = 'npm'): Promise<RefreshSummary> {
  const source = advisorySource(work.parts);
  const hosts = await source.prepare();
  await work.database.query("DELETE FROM source_reading WHERE source = 'advisories' AND item <> $1", [
    folder,
  ]);
  return refreshSource(source, hosts, { signal: new AbortController().signal, ...options });
}
const standing = async (text: string) => {
  const [judgement] = await judgePackages(work.database, [readPackage(text)]);
  return judgement?.standing;
};
const day = (date: string) => `${date}T00:00:00Z`;
/** Returns a record about the npm package of the same name, changed on a day of November 2026. */
const bad = (name: string, date = 1, changes = {}): SampleRecord =>
  osvRecord(`MAL-2026-${name}`, name, {
    modified: day(`2026-11-${String(date).padStart(2, '0')}`),
    ...changes,
  });
const npm = () => {
  work.standIn.world.osv.npm ??= [];
  return work.standIn.world.osv.npm;
};
/** Returns the files of the ecosystem npm that were requested, and forgets them. */
const requested = () => {
  const paths = work.standIn.requests.splice(0).map(({ path }) => path);
  return paths.flatMap((path) => (path.startsWith('/osv/npm/') ? [path.slice('/osv/npm/'.length)] : []));
};
const stored = async () => {
  const rows = await work.database.query<{ id: string }>('SELECT id FROM advisory ORDER BY id');
  return rows.map(({ id }) => id.replace('MAL-2026-', ''));
};
const readings = () =>
  work.database.query(
    "SELECT ecosystem, records, read_at > now() - interval '1 minute' AS now FROM advisory_reading",
  );

/** Stores records as an import has, and shows them in the bucket. */
async function base(...records: SampleRecord[]): Promise<void> {
  await storeOsv(work.database, ...records);
  npm().push(...records);
}

describe('a refresh of advisories', () => {
  it('reads changed records only, oldest change first, and then counts as a reading of the ecosystem', async () => {
    await base(bad('a', 1), bad('b', 2), bad('c', 3), bad('f', 3));
    npm().splice(0, 1, bad('a', 6, { withdrawn: day('2026-11-06') }));
    npm().push(bad('d', 5), bad('e', 4));
    const before = await standing('npm:sound');

    const { outcomes } = await refresh();

    expect(requested()).toEqual(['modified_id.csv', 'MAL-2026-e.json', 'MAL-2026-d.json', 'MAL-2026-a.json']);
    expect(outcomes).toEqual({ read: 3 });
    expect(await readings()).toEqual([{ ecosystem: 'npm', records: 6, now: true }]);
    expect(before).toBe('unknown');
    expect(await Promise.all(['sound', 'a', 'b', 'e'].map((name) => standing(`npm:${name}`)))).toEqual([
      'not_affected',
      'not_affected',
      'affected',
      'affected',
    ]);
  });

  itAtNight('asks the next time only whether something has changed, and writes nothing', async () => {
    await base(bad('a'));
    await refresh();
    await work.database.query("UPDATE advisory_reading SET read_at = '2026-01-01T00:00:00Z'");
    await work.makeDue();
    requested();
    const state = () => work.database.query('SELECT a.*, a.xmin FROM advisory a');
    const before = await state();

    const { outcomes } = await refresh();

    expect(outcomes).toEqual({ unchanged: 1 });
    expect(work.standIn.requests.find(({ path }) => path.startsWith('/osv/npm'))?.status).toBe(304);
    expect(await readings()).toMatchObject([{ now: true }]);
    expect(await state()).toEqual(before);
  });

  itAtNight('stops reading the index at changes of more than a week before the last one', async () => {
    await base(bad('a', 1), bad('b', 20));
    await refresh();
    await work.makeDue();
    npm().push(bad('late', 14), bad('later', 12), bad('new', 21));
    requested();

    await refresh();

    expect(requested()).toEqual(['modified_id.csv', 'MAL-2026-late.json', 'MAL-2026-new.json']);
  });

  it('queues listings whose package is affected or no longer is, with the record itself', async () => {
    await work.store(
      listing('acme/robot', { npmPackage: 'robot' }),
      server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']]),
    );
    await base(bad('a'));
    const due = async () => (await work.database.query('DELETE FROM score_due RETURNING 1')).length;
    await due();
    npm().push(bad('robot', 2));

    await refresh({ limit: 2 });
    const affected = await due();
    await refresh();
    npm().splice(1, 1, bad('robot', 3, { withdrawn: day('2026-11-03'), affected: [] }));
    await work.makeDue();
    await due();
    await refresh({ limit: 2 });

    expect([affected, await due()]).toEqual([1, 1]);
  });

  it('goes on after an interruption or a failure where it was, and repeats nothing', async () => {
    await base(...Array.from({ length: 30 }, (_, n) => bad(`stored-${n}`)));
    const names = Array.from({ length: 25 }, (_, n) => `new-${String(n).padStart(2, '0')}`);
    npm().push(...names.map((name, n) => bad(name, 2 + n)));
    await refresh({ limit: 1 });
    const controller = new AbortController();
    work.standIn.onRequest(async (path) => {
      if (path.endsWith('new-03.json')) controller.abort();
    });
    await refresh({ signal: controller.signal });
    work.standIn.onRequest(async (path) => {
      if (path.endsWith('new-15.json')) work.standIn.trouble({ kind: 'answer', status: 503 });
    });

    const failed = await refresh();
    const between = await stored();
    work.standIn.onRequest(null);
    await work.makeDue();
    await refresh();

    const files = requested();
    expect(failed.outcomes).toEqual({ read: 2, failed: 1 });
    expect(failed.problems).toMatchObject({
      'osv-vulnerabilities.storage.googleapis.com is not responding (status 503).': 1,
    });
    expect(between.filter((name) => name.startsWith('new'))).toEqual(names.slice(0, 15));
    expect(files.filter((file) => file === 'modified_id.csv')).toHaveLength(1);
    const asked = files.filter((file) => file !== 'modified_id.csv');
    // What was interrupted is requested once more; what failed, first among the others, then by itself.
    const times = new Map([
      ['new-03', 2],
      ['new-15', 3],
    ]);
    expect(asked).toEqual(names.flatMap((name) => Array(times.get(name) ?? 1).fill(`MAL-2026-${name}.json`)));
    expect(await readings()).toHaveLength(1);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['is missing', null, 'has no entry with that name'],
        ['is no JSON', '<html>', 'not valid JSON'],
        ['is no record', '{"id":1}', 'not an OSV record'],
        ['is another record', JSON.stringify(bad('other', 2)), 'the file is another record'],
        ['is older than the index says', JSON.stringify(bad('x', 1)), 'is older than the index says'],
        ['is endless', `"${'x'.repeat(9_000_000)}"`, 'too large'],
      ],
      ([what]) => what === 'is missing' || what === 'is older than the index says',
    ),
  )('reports a record that %s, reads the others, and does not count as a reading', async (_, text, why) => {
    await base(bad('a'), bad('b'), bad('c'), bad('d'));
    npm().push(bad('x', 2), bad('y', 3));
    work.standIn.world.osvFiles['npm/MAL-2026-x.json'] = text;

    const first = await refresh();
    const claimed = await readings();
    delete work.standIn.world.osvFiles['npm/MAL-2026-x.json'];
    await work.makeDue();
    requested();
    await refresh();

    const problem = Object.keys(first.problems).find((each) => each.startsWith('npm/MAL-2026-x: '));
    expect(problem).toContain(why);
    expect(claimed).toEqual([]);
    expect(requested()).toEqual(['modified_id.csv', 'MAL-2026-x.json']);
    expect(await stored()).toEqual(['a', 'b', 'c', 'd', 'x', 'y']);
    expect(await readings()).toHaveLength(1);
  });

  itAtNight('leaves out a record that an import would refuse too, and requests it only once', async () => {
    await base(bad('a'), bad('b'));
    npm().push(bad('x', 2, { affected: [{ package: { ecosystem: 'npm', name: 'no name' } }] }));

    const { problems } = await refresh();
    const first = requested();
    npm().push(bad('y', 3));
    await work.makeDue();
    await refresh();

    expect(Object.keys(problems)[0]).toMatch(/^npm\/MAL-2026-x: affected\.package\.name/);
    expect([first.length, requested()]).toEqual([2, ['modified_id.csv', 'MAL-2026-y.json']]);
    expect(await readings()).toHaveLength(1);
  });

  itAtNight('passes over a record on which the host fails again and again', async () => {
    await base(bad('a'), bad('b'), bad('c'));
    npm().push(bad('x', 2), bad('y', 3));
    work.standIn.onRequest(async (path) => {
      if (path.endsWith('-x.json')) work.standIn.trouble({ kind: 'answer', status: 403 });
    });
    for (let failure = 0; failure < 4; failure += 1) {
      await refresh();
      await work.makeDue();
    }

    expect([await stored(), await readings()]).toEqual([['a', 'b', 'c', 'y'], []]);
  });

  itAtNight('asks for an import where most records are not stored, and requests none of them', async () => {
    const empty = await refresh();
    const unasked = requested();
    await base(bad('a'));
    npm().push(bad('b'), bad('c'), bad('d'));
    await work.makeDue();

    const partial = await refresh();

    expect([unasked, requested()]).toEqual([[], ['modified_id.csv']]);
    for (const { outcomes, problems } of [empty, partial]) {
      expect(outcomes).toEqual({ failed: 1 });
      expect(Object.keys(problems)[0]).toMatch(
        /^Most advisories of npm are not stored: import \S+\/npm\/all\.zip /,
      );
    }
    expect(await readings()).toEqual([]);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['403', { kind: 'answer', status: 403 }],
        ['404', { kind: 'answer', status: 404 }],
        ['304 unasked', { kind: 'answer', status: 304 }],
        ['500', { kind: 'answer', status: 500 }],
        [
          'a redirect elsewhere',
          { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
        ],
        ['a hang-up', { kind: 'hang_up' }],
      ] as const,
      ([what]) => what === '500',
    ),
  )('fails on %s for the index, and goes on where it was', async (_, trouble) => {
    await base(bad('a'), bad('b'));
    npm().push(bad('c', 2));
    work.standIn.trouble(trouble);

    const { outcomes } = await refresh();
    const between = await stored();
    await work.makeDue();
    await refresh();

    expect([outcomes, between]).toEqual([{ failed: 1 }, ['a', 'b']]);
    expect([await stored(), (await readings()).length]).toEqual([['a', 'b', 'c'], 1]);
  });

  it('waits as long as the host asks, with the records that it has', async () => {
    await base(bad('a'), bad('b'));
    npm().push(bad('c', 2), bad('d', 3));
    work.standIn.onRequest(async (path) => {
      const limited = { kind: 'answer', status: 429, headers: { 'retry-after': '33' } } as const;
      if (path.endsWith('-d.json')) work.standIn.trouble(limited);
    });

    expect(await refresh()).toMatchObject({ stillDue: 1, retryAfterSeconds: 33 });
    expect(await stored()).toEqual(['a', 'b', 'c']);
  });
});

describeAtNight('a refresh of advisories', () => {
  it.each([
    ['a page', '<html><body>\n</body></html>\n'],
    ['an empty file', ''],
    ['an endless line', 'x'.repeat(5_000_000)],
    ['an outdated copy', `${day('2026-01-01')},MAL-2026-a\n`],
  ])('refuses %s as the index, and keeps what it has', async (_, index) => {
    await base(bad('a', 20));
    await refresh();
    await work.database.query('DELETE FROM advisory_reading');
    await work.makeDue();
    work.standIn.world.osvFiles['npm/modified_id.csv'] = index;

    const { outcomes } = await refresh();

    expect([outcomes, await readings()]).toEqual([{ failed: 1 }, []]);
    delete work.standIn.world.osvFiles['npm/modified_id.csv'];
    await work.makeDue();
    await refresh();
    expect(await readings()).toHaveLength(1);
  });

  it('reports invalid lines of the index, reads the other records, and does not count as a reading', async () => {
    await base(bad('a'), bad('b'));
    npm().push(bad('c', 2));
    const lines = [
      `${day('2026-11-02')},MAL-2026-c`,
      'yesterday,MAL-2026-d',
      `${day('2026-11-01')},MAL-2026-a`,
    ];
    work.standIn.world.osvFiles['npm/modified_id.csv'] = lines.join('\r\n');

    const { problems } = await refresh();

    expect(problems).toMatchObject({ 'npm: 1 lines of the index are invalid.': 1 });
    expect([await stored(), await readings()]).toEqual([['a', 'b', 'c'], []]);
  });

  it('reads the index again where it lists more changes than a pass holds', async () => {
    await base(...Array.from({ length: 1_100 }, (_, n) => bad(`stored-${n}`)));
    // Many of the same time, as after a mass import of a database.
    npm().push(...Array.from({ length: 1_050 }, (_, n) => bad(`new-${n}`, n < 20 ? 2 : 3)));

    const { problems } = await refresh();

    const files = requested();
    expect(files.filter((file) => file === 'modified_id.csv')).toHaveLength(2);
    expect([files.length, new Set(files).size]).toEqual([1_052, 1_051]);
    expect(Object.keys(problems)).toEqual([
      expect.stringMatching(/^npm: many changes are due; \S+all\.zip is faster/),
    ]);
    expect([(await stored()).length, (await readings()).length]).toEqual([2_150, 1]);
  });

  it('ends what a stored record says about packages where it was withdrawn and names none any more', async () => {
    await base(bad('a'), bad('b'));
    const withdrawn = bad('a', 4, { affected: [], withdrawn: day('2026-11-04') });
    npm().splice(0, 1);
    work.standIn.world.osv['[EMPTY]'] = [withdrawn, bad('other', 5)];
    await refresh();
    const before = await standing('npm:a');

    await refresh({}, 'none');

    const paths = work.standIn.requests.map(({ path }) => path).filter((path) => path.includes('EMPTY'));
    expect(paths).toEqual(['/osv/%5BEMPTY%5D/modified_id.csv', '/osv/%5BEMPTY%5D/MAL-2026-a.json']);
    expect([before, await standing('npm:a')]).toEqual(['affected', 'not_affected']);
    expect(await readings()).toHaveLength(1);
  });

  it('ends what a stored record says once it names other registries, and reads others like it once', async () => {
    await base(bad('a'), bad('b'), bad('e'), bad('f'));
    const crate = { affected: [{ package: { ecosystem: 'crates.io', name: 'a' } }] };
    npm().splice(0, 1, bad('a', 4, crate));
    npm().push(bad('c', 5, crate));

    await refresh();
    const first = requested();
    npm().push(bad('d', 6));
    await work.makeDue();
    await refresh();

    expect(first.toSorted()).toEqual(['MAL-2026-a.json', 'MAL-2026-c.json', 'modified_id.csv']);
    expect(requested()).toEqual(['modified_id.csv', 'MAL-2026-d.json']);
    expect([await stored(), await standing('npm:a')]).toEqual([['a', 'b', 'd', 'e', 'f'], 'not_affected']);
  });

  it('counts the requests of readings that follow at once towards the hourly number', async () => {
    await base(...Array.from({ length: 40 }, (_, n) => bad(`stored-${n}`)));
    npm().push(...Array.from({ length: 40 }, (_, n) => bad(`new-${n}`, 2)));
    const warnings: object[] = [];
    const log = { warn: (fields: object) => warnings.push(fields) };
    const signal = new AbortController().signal;
    const run = createRefreshJob(work.database, [advisorySource(work.parts)], 20, signal, log);

    for (let minute = 0; minute < 10; minute += 1) await run();

    // The index, and two times ten records; the third time, nothing is left.
    expect(requested()).toHaveLength(21);
    const problems = warnings.flatMap((each) => Object.keys((each as { problems: object }).problems));
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(/^Most advisories of PyPI are not stored: /),
      'osv-vulnerabilities.storage.googleapis.com has no current index of [EMPTY].',
    ]);
  });
});
