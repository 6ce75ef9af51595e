import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OSV_SAMPLE, osvRecord } from '../../../testing/advisories/sample-advisories.ts';
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

async function file(name: string, content: string | readonly object[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const text =
    typeof content === 'string' ? content : content.map((record) => `${JSON.stringify(record)}\n`).join('');
  await writeFile(path, text);
  return path;
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
    expect(await standing('npm:react')).toBe('not_affected');
    expect(shown).toContain(
      '  2 × read although: id: the prefix LWA- is not registered in the published schema',
    );
  });

  it('writes nothing the second time', async () => {
    await run([OSV_SAMPLE]);
    const versions = () => test.database.query('SELECT xmin::text, id FROM advisory ORDER BY id');
    const before = await versions();

    const { advisories } = await run([OSV_SAMPLE]);

    expect(advisories).toMatchObject({ unchanged: 18, added: 0, changed: 0 });
    expect(await versions()).toEqual(before);
  });

  it('recognises a file of one record, formatted or not, and a folder of such files', async () => {
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
    const rejects = (await readFile(join(folder, 'rejects.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { file: 'rows.ndjson', line: 2 },
      { file: 'osv.ndjson', line: 2, code: 'invalid', reason: expect.stringContaining('modified') },
    ]);
  });

  it('takes the standing away with a withdrawn record, and keeps the former state', async () => {
    await run([await file('first.ndjson', [bad('one'), bad('two')])]);
    const withdrawn = bad('one', { modified: '2026-11-02T00:00:00Z', withdrawn: '2026-11-02T00:00:00Z' });

    const { advisories } = await run([await file('second.ndjson', [withdrawn, bad('two')])]);

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
    const second = await run([await file('older.ndjson', [older, bad('two')])]);

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
    await run([path], { isPartial: true });
    const afterPart = await standing('npm:sound');
    await run([await file('other.ndjson', [bad('p0', { summary: 'changed' }), ...records])], {
      signal: AbortSignal.abort(),
    });
    const afterInterruption = await standing('npm:sound');
    await run([path]);

    expect([afterOneRecord, afterPart, afterInterruption]).toEqual(['unknown', 'unknown', 'unknown']);
    expect(await standing('npm:sound')).toBe('not_affected');
    expect(await standing('pypi:sound')).toBe('unknown');
  });

  it('refuses archives and folders without records, and says what to do', async () => {
    const archive = await file('all.zip', 'PK\u0003\u0004…');
    await mkdir(join(folder, 'empty'));
    await file('others/package.json', JSON.stringify({ name: 'a' }));

    await expect(run([archive])).rejects.toThrow(/is an archive: unpack it/);
    await expect(run([join(folder, 'empty')])).rejects.toThrow(/has no OSV records: name a folder/);
    await expect(run([join(folder, 'others')])).rejects.toThrow(/has no OSV records/);
    await expect(run([])).rejects.toThrow(/no file to import/);
  });
});
