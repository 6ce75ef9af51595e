import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OSV_SAMPLE, osvRecord } from '../../../testing/advisories/sample-advisories.ts';
import { zipOf } from '../../../testing/advisories/zip-file.ts';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { listing } from '../../../testing/import/rows.ts';
import { judgePackages } from '../../catalog/advisories/judge-packages.ts';
import { readPackage } from '../../catalog/advisories/read-package.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { type AnyImportOptions, importAnyFiles } from './import-any-files.ts';

let test: TestDatabase;
let folder: string;
let shown: string[];

beforeEach(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'advisories-'));
  shown = [];
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

function run(paths: readonly string[], options: AnyImportOptions = {}) {
  const output = { write: (text: string) => shown.push(...text.trimEnd().split('\n')) };
  return importAnyFiles(test.database, embeddedBackend, paths, {
    rejectsPath: join(folder, 'rejects.ndjson'),
    output,
    ...options,
  });
}

async function file(name: string, content: string | Buffer | readonly object[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const isWritten = typeof content === 'string' || Buffer.isBuffer(content);
  await writeFile(
    path,
    isWritten ? content : content.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  return path;
}

/** Reads the rejects of the last import. */
async function rejects(): Promise<{ file: string; code: string; reason: string; row: string }[]> {
  const lines = (await readFile(join(folder, 'rejects.ndjson'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function standing(text: string): Promise<string | undefined> {
  const [judgement] = await judgePackages(test.database, [readPackage(text)]);
  return judgement?.standing;
}

const bad = (name: string, changes: object = {}) => osvRecord(`MAL-2026-${name}`, name, changes);

describe('importAnyFiles', () => {
  it('stores the real records, and reports those that break the published schema', async () => {
    const { advisories, rows } = await run([OSV_SAMPLE]);

    expect(rows).toBeNull();
    expect(advisories).toMatchObject({
      read: 18,
      added: 18,
      rejected: 0,
      withdrawn: 2,
      finished: true,
      problems: { 'id: the prefix LWA- is not registered in the published schema': 2 },
    });
    expect(await standing('npm:@or-sdk/idw-skill@1.4.3')).toBe('affected');
    expect(await standing('npm:react')).toBe('unknown');
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}no whole database was read: .* add --whole/));
    expect(shown).toContain(
      '  2 × read although: id: the prefix LWA- is not registered in the published schema',
    );
  });

  itAtNight('writes nothing the second time', async () => {
    await run([OSV_SAMPLE]);
    const versions = () => test.database.query('SELECT xmin::text, id FROM advisory ORDER BY id');
    const before = await versions();

    const { advisories } = await run([OSV_SAMPLE]);

    expect(advisories).toMatchObject({ unchanged: 18, added: 0, changed: 0 });
    expect(await versions()).toEqual(before);
  });

  itAtNight('recognises a file of one record, formatted or not, and a folder of such files', async () => {
    const one = await file('one.json', JSON.stringify(bad('one'), null, 2));
    const two = await file('two.json', JSON.stringify(bad('two')));
    await file('dump/npm/three.json', JSON.stringify(bad('three'), null, 2));
    await file('dump/four.json', JSON.stringify(bad('four')));
    await file('dump/README.md', 'no record');

    const { advisories } = await run([one, two, join(folder, 'dump')]);

    expect(advisories).toMatchObject({ read: 4, added: 4 });
    for (const name of ['one', 'two', 'three', 'four'])
      expect(await standing(`npm:${name}`)).toBe('affected');
  });

  it('imports rows of the directory and records in one command', async () => {
    const rows = await file('rows.ndjson', [listing('acme/agent'), listing('acme/broken', { stars: -1 })]);
    const records = await file('osv.ndjson', [bad('one'), { ...bad('two'), modified: 'never' }]);

    const summary = await run([records, rows]);

    expect(summary.rows?.kinds.listing).toMatchObject({ added: 1, rejected: 1 });
    expect(summary.advisories).toMatchObject({ added: 1, rejected: 1 });
    expect(await rejects()).toMatchObject([
      { file: 'rows.ndjson', line: 2 },
      { file: 'osv.ndjson', line: 2, code: 'invalid', reason: expect.stringContaining('modified') },
    ]);
  });

  itAtNight('takes the standing away with a withdrawn record, and keeps the former state', async () => {
    await run([await file('first.ndjson', [bad('one'), bad('two')])]);
    const withdrawn = bad('one', { modified: '2026-11-02T00:00:00Z', withdrawn: '2026-11-02T00:00:00Z' });

    const { advisories } = await run([await file('second.ndjson', [withdrawn, bad('two')])], {
      extent: 'all',
    });

    expect(advisories).toMatchObject({ changed: 1, unchanged: 1, withdrawn: 1 });
    expect(await standing('npm:one')).toBe('not_affected');
    const history = await test.database.query(
      "SELECT advisory_id AS id, state ->> 'withdrawn_at' AS withdrawn, state -> 'packages' -> 0 ->> 'package' AS package FROM advisory_history",
    );
    expect(history).toEqual([{ id: 'MAL-2026-one', withdrawn: null, package: 'one' }]);
  });

  it('keeps a newer state when an older record comes later, in one file or in two', async () => {
    const older = bad('one', { modified: '2026-01-01T00:00:00Z' });
    const newer = bad('one', { modified: '2026-11-02T00:00:00Z', withdrawn: '2026-11-02T00:00:00Z' });

    const first = await run([await file('both.ndjson', [newer, older])]);
    const second = await run([await file('older.ndjson', [older, bad('two')])], { extent: 'all' });

    expect(first.advisories).toMatchObject({ added: 1, outdated: 1 });
    expect(second.advisories).toMatchObject({ added: 1, outdated: 1 });
    expect(await standing('npm:one')).toBe('not_affected');
  });

  it('continues after an interruption with the records that are not stored yet', async () => {
    const records = Array.from({ length: 1_500 }, (_, n) => bad(`p${n}`));
    const path = await file('many.ndjson', records);

    const first = await run([path], { signal: AbortSignal.abort() });
    const second = await run([path]);

    expect(first).toMatchObject({ finished: false, advisories: { added: 1_000 } });
    expect(second).toMatchObject({ finished: true, advisories: { added: 500, unchanged: 1_000 } });
  });

  it('calls other packages not affected only after a whole database was read to its end', async () => {
    const records = [...Array.from({ length: 1_000 }, (_, n) => bad(`p${n}`)), bad('last')];
    const path = await file('many.ndjson', records);
    await run([await file('one.json', JSON.stringify(bad('single')))]);
    const afterOneRecord = await standing('npm:sound');
    await run([path]);
    const afterPart = await standing('npm:sound');
    await run([await file('other.ndjson', [bad('p0', { summary: 'changed' }), ...records])], {
      extent: 'all',
      signal: AbortSignal.abort(),
    });
    const afterInterruption = await standing('npm:sound');
    await run([path], { extent: 'all' });

    expect([afterOneRecord, afterPart, afterInterruption]).toEqual(['unknown', 'unknown', 'unknown']);
    expect(await standing('npm:sound')).toBe('not_affected');
    expect(await standing('pypi:sound')).toBe('unknown');
  });

  itAtNight('counts only an archive that OSV publishes as a whole database by itself', async () => {
    const archive = zipOf([{ name: 'MAL-2026-one.json', content: JSON.stringify(bad('one')) }]);
    await file('dump/MAL-2026-one.json', JSON.stringify(bad('one')));
    const standings: (string | undefined)[] = [];
    for (const [path, options] of [
      [join(folder, 'dump'), {}],
      [await file('small.zip', archive), {}],
      [await file('npm-all.zip', archive), { extent: 'none' }],
      [await file('npm-all.zip', archive), {}],
    ] as const) {
      await run([path], options);
      standings.push(await standing('npm:sound'));
    }

    expect(standings).toEqual(['unknown', 'unknown', 'unknown', 'not_affected']);
  });

  itAtNight(
    'ends what a stored record says once a newer state names only packages of other registries',
    async () => {
      const crate = { affected: [{ package: { ecosystem: 'crates.io', name: 'one' } }] };
      await run([await file('first.ndjson', [bad('one'), bad('two')])]);

      const moved = bad('one', { ...crate, modified: '2026-11-02T00:00:00Z' });
      const { advisories } = await run([await file('second.ndjson', [moved, bad('three', crate)])]);

      expect(advisories).toMatchObject({ read: 2, changed: 1, foreign: 1 });
      expect(await standing('npm:one')).toBe('unknown');
      expect(await standing('npm:two')).toBe('affected');
    },
  );

  it('reads the archive of an ecosystem as a whole database, and reports what it cannot read', async () => {
    const archive = zipOf([
      { name: 'MAL-2026-one.json', content: JSON.stringify(bad('one')) },
      { name: 'MAL-2026-two.json', content: '{' },
      { name: 'MAL-2026-three.json', content: JSON.stringify(bad('three')), checksum: 1 },
    ]);

    const { advisories } = await run([await file('all.zip', archive)]);

    expect(advisories).toMatchObject({ read: 3, added: 1, rejected: 2 });
    expect(await standing('npm:one')).toBe('affected');
    expect(await standing('npm:sound')).toBe('not_affected');
    expect(await rejects()).toMatchObject([
      { file: 'all.zip/MAL-2026-two.json', code: 'unreadable', reason: 'not valid JSON' },
      { file: 'all.zip/MAL-2026-three.json', code: 'unreadable', reason: 'damaged: wrong checksum' },
    ]);
  });

  describe('with an index beside the records', () => {
    const later = '2026-11-02T00:00:00Z';

    async function records(...all: { id: string }[]) {
      for (const record of all) await file(`npm/${record.id}.json`, JSON.stringify(record));
    }
    const index = (...lines: string[]) => file('npm/modified_id.csv', `${lines.join('\n')}\n`);

    it('reads only records that are newer than the stored ones', async () => {
      await run([await file('first.ndjson', [bad('one'), bad('two')])]);
      await records(
        bad('one', { summary: 'not read' }),
        bad('two', { modified: later, withdrawn: later }),
        bad('three'),
      );
      await index(
        `${later},MAL-2026-two`,
        '2026-11-01T00:00:00Z,MAL-2026-one',
        '2026-11-01T00:00:00Z,npm/MAL-2026-three',
      );

      const { advisories } = await run([join(folder, 'npm')]);
      const again = await run([join(folder, 'npm/modified_id.csv')]);

      expect(advisories).toMatchObject({ read: 2, added: 1, changed: 1, passedOver: 1, rejected: 0 });
      expect(again.advisories).toMatchObject({ read: 0, passedOver: 3, rejected: 0 });
      expect(await standing('npm:two')).toBe('not_affected');
      expect(shown).toContain('  1 more not read: the index says that they have not changed');
    });

    itAtNight(
      'reports records whose file is missing or older, and does not count as a whole database then',
      async () => {
        await records(bad('one'), bad('two'));
        await index(
          `${later},MAL-2026-two`,
          '2026-11-01T00:00:00Z,MAL-2026-one',
          `${later},MAL-2026-three`,
          `${later},crates.io/RUSTSEC-1`,
          'no line',
        );

        const { advisories } = await run([join(folder, 'npm')], { extent: 'all' });

        expect(advisories).toMatchObject({ added: 2, rejected: 3, reading: null });
        expect(await standing('npm:sound')).toBe('unknown');
        expect((await rejects()).map((each) => [each.code, each.row.slice(0, 60)])).toEqual([
          ['invalid', 'no line'],
          ['missing', `${later},MAL-2026-three`],
          ['missing', JSON.stringify(bad('two')).slice(0, 60)],
        ]);
      },
    );

    itAtNight('counts as a whole database although nothing in it changed', async () => {
      await records(bad('one'));
      await index('2026-11-01T00:00:00Z,MAL-2026-one');
      await run([join(folder, 'npm')]);
      await test.database.query("UPDATE advisory_reading SET read_at = '2026-01-01T00:00:00Z'");
      const before = await standing('npm:sound');

      await run([join(folder, 'npm')]);

      expect(before).toBe('unknown');
      expect(await standing('npm:sound')).toBe('not_affected');
    });
  });

  itAtNight('counts as read when its files were written, however late they are imported', async () => {
    const path = await file('old.ndjson', [bad('one'), bad('two')]);
    await utimes(path, new Date(), new Date(Date.now() - 8 * 86_400_000));
    await run([path], { extent: 'all' });
    const old = await standing('npm:sound');
    await utimes(path, new Date(), new Date());
    await run([path], { extent: 'all' });
    const fresh = await standing('npm:sound');
    await utimes(path, new Date(), new Date(Date.now() - 8 * 86_400_000));
    await run([path], { extent: 'all' });

    expect([old, fresh, await standing('npm:sound')]).toEqual(['unknown', 'not_affected', 'not_affected']);
  });

  itAtNight(
    'counts as read when the operator says, whatever the time of its files, and says which time was taken',
    async () => {
      const path = await file('copied.ndjson', [bad('one'), bad('two')]);
      const readAt = new Date('2026-01-02T03:04:05Z');

      await run([path], { extent: 'all', readAt });
      const stated = shown.filter((line) => line.includes('count as read'));
      const [reading] = await test.database.query('SELECT read_at AS at FROM advisory_reading');
      const old = await standing('npm:sound');
      shown.length = 0;
      await run([path], { extent: 'all' });

      expect([reading, old, await standing('npm:sound')]).toEqual([
        { at: readAt },
        'unknown',
        'not_affected',
      ]);
      expect(stated).toEqual(['  databases count as read at 2026-01-02 03:04 UTC, as --read-at says']);
      expect(shown).toContainEqual(
        expect.stringMatching(
          /^ {2}databases count as read at .* UTC, when the oldest of their files changed; /,
        ),
      );
      expect((await run([path], { extent: 'none' })).advisories?.reading).toBeNull();
    },
  );

  itAtNight('stores the entries of exposure catalogues, which are no whole database', async () => {
    const entry = { id: 'campaign-1', ecosystem: 'npm', package: 'notes-mcp', versions: ['1.0.0'] };
    const path = await file(
      'catalogue.json',
      JSON.stringify(
        { schema_version: '0.2.0', entries: [entry, { ...entry, id: 'x', package: 'a b' }] },
        null,
        2,
      ),
    );

    const { advisories } = await run([path, join(folder, 'catalogue.json')]);

    expect(advisories).toMatchObject({ read: 2, added: 1, rejected: 1 });
    expect(await standing('npm:notes-mcp@1.0.0')).toBe('affected');
    expect(await standing('npm:notes-mcp@1.0.1')).toBe('unknown');
  });

  it('shows disputes of versions beside the record, in any order of import, until they are withdrawn', async () => {
    const name = '@emilgroup/auth-sdk-node';
    const record = osvRecord('MAL-2026-2037', name, {
      affected: [
        { package: { ecosystem: 'npm', name }, versions: ['1.21.1', '1.21.2', '1.25.0', '1.28.1-beta.0'] },
      ],
    });
    const dispute = {
      advisory: 'MAL-2026-2037',
      package: `npm:${name}`,
      versions: ['1.25.0', '1.28.1-beta.0'],
      reason: 'published by the maintainers after the incident',
      url: 'https://github.com/ossf/malicious-packages/issues/1445',
      stated_at: '2026-08-13T00:00:00Z',
    };
    const asked = async (version: string) => {
      const [judged] = await judgePackages(test.database, [readPackage(`npm:${name}@${version}`)]);
      return [judged?.standing, judged?.advisories[0]?.disputed];
    };

    const { advisories } = await run([await file('a.ndjson', [dispute, record])]);

    expect(advisories).toMatchObject({ read: 1, added: 1, disputes: 1 });
    expect(await asked('1.25.0')).toEqual(['affected', true]);
    expect(await asked('1.21.1')).toEqual(['affected', false]);
    await run([await file('b.ndjson', [{ ...dispute, withdrawn_at: '2026-09-01T00:00:00Z' }, record])]);
    expect(await asked('1.25.0')).toEqual(['affected', false]);
    // The statement from before its withdrawal does not bring it back.
    await run([await file('c.ndjson', [dispute, record])]);
    expect(await asked('1.25.0')).toEqual(['affected', false]);
  });

  itAtNight('refuses archives and folders without records, and says what to do', async () => {
    const archive = await file('all.zip', zipOf([{ name: 'package.json', content: '{"name":"a"}' }]));
    await mkdir(join(folder, 'empty'));
    await file('others/package.json', JSON.stringify({ name: 'a' }));

    await expect(run([archive])).rejects.toThrow(/has no OSV records: name an archive/);
    await expect(run([join(folder, 'empty')])).rejects.toThrow(/has no OSV records: name a folder/);
    await expect(run([join(folder, 'others')])).rejects.toThrow(/has no OSV records/);
    await expect(run([])).rejects.toThrow(/no file to import/);
  });
});
