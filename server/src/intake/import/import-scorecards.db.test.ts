import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;
beforeAll(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.empty());
afterAll(() => work.close());

const result = (score: unknown, overrides = {}) => ({
  date: '2026-11-16T00:00:00Z',
  repo: { name: 'github.com/Acme/robot', commit: 'a'.repeat(40) },
  scorecard: { version: 'v5.0.0', commit: 'b'.repeat(40) },
  score,
  checks: [{ name: 'Maintained', score: 10, reason: 'two\nlines', details: ['\u0000'] }],
  ...overrides,
});
const stored = () =>
  work.database.query<Record<string, unknown>>(
    "SELECT value, source, url, license FROM observed_fact WHERE fact = 'scorecard'",
  );

describe('results of OpenSSF Scorecard', () => {
  it('are facts of their listings, with source, address and licence', async () => {
    const { kinds } = await work.store(listing('acme/robot'), result(6.4));

    expect(kinds.scorecard).toEqual({ read: 1, added: 1, changed: 0, unchanged: 0, rejected: 0 });
    expect(await stored()).toEqual([
      {
        value: { score: 6.4, ranAt: '2026-11-16T00:00:00.000Z' },
        source: 'scorecard',
        url: 'https://api.securityscorecards.dev/projects/github.com/Acme/robot',
        license: 'CDLA-Permissive-2.0',
      },
    ]);
  });

  it('count as observed at their run, whatever the operator says about the file', async () => {
    await work.store(listing('acme/robot'));

    await work.run([await work.file([result(6.4)])], { readAt: new Date('2026-11-20') });

    const times = await work.database.query('SELECT observed_at AS at FROM observed_fact');
    expect(times).toEqual([{ at: new Date('2026-11-16T00:00:00Z') }]);
    expect(work.shown).toContain('  results of OpenSSF Scorecard count as read at their own date');
  });

  it('are those of the latest run, in any order, and written once', async () => {
    await work.store(listing('acme/robot'), result(7, { date: '2026-11-17T00:00:00Z' }), result(6.4));
    const before = await work.database.query('SELECT xmin::text FROM observed_fact');

    const again = await work.store(result(6.4), result(7, { date: '2026-11-17T00:00:00Z' }));

    expect(await stored()).toMatchObject([{ value: { score: 7 } }]);
    expect(again.kinds.scorecard).toMatchObject({ read: 2, unchanged: 2 });
    expect(await work.database.query('SELECT xmin::text FROM observed_fact')).toEqual(before);
  });

  it('that are invalid, or of a repository that is not listed, go to the rejects', async () => {
    const { kinds } = await work.store(
      listing('acme/robot'),
      result(11),
      result('7'),
      result(-1),
      result(7, { repo: { name: 'acme/robot' } }),
      result(7, { repo: { name: 'github.com/acme/other' } }),
    );

    expect([kinds.scorecard.rejected, await stored()]).toEqual([5, []]);
    const reasons = (await work.rejects()).map(({ reason }) => reason).sort();
    expect(reasons).toEqual([
      'repo.name: must be host/owner/name',
      'score: must be a number from 0 to 10',
      'score: must be a number from 0 to 10',
      'score: must be a number from 0 to 10',
      'the repository is not listed',
    ]);
  });
});
