import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, sampleRecords, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { judgePackages, type PackageJudgement } from './judge-packages.ts';
import { readPackage } from './read-package.ts';
import { saveReadings } from './save-advisories.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
  await replaceClock(database);
});
beforeEach(async () => {
  await setClock(database, '2026-11-21T00:00:00Z');
});
afterEach(() => test.empty());
afterAll(() => test.close());

async function judged(text: string): Promise<PackageJudgement> {
  const [judgement] = await judgePackages(database, [readPackage(text)]);
  if (judgement === undefined) throw new Error('no judgement');
  return judgement;
}

const readNpm = () => saveReadings(database, [{ source: 'Some Database', ecosystem: 'npm', records: 1 }]);

describe('a package', () => {
  it('is affected in the versions of a real record, and not in those before', async () => {
    await storeOsv(database, ...sampleRecords());
    await readNpm();

    expect(await judged('npm:postmark-mcp@1.0.16')).toMatchObject({
      standing: 'affected',
      advisories: [{ id: 'MAL-2025-47604', category: 'malware', affected: ['>=1.0.16'] }],
    });
    expect(await judged('npm:postmark-mcp@1.0.15')).toMatchObject({
      standing: 'not_affected',
      advisories: [],
    });
    expect(await judged('npm:postmark-mcp')).toMatchObject({ standing: 'affected' });
  });

  it('that was hijacked is affected in two versions only, which are named', async () => {
    await storeOsv(database, ...sampleRecords());
    await readNpm();

    const standings = await Promise.all(
      ['0.5.0', '0.5.1', '0.6.1', '0.6.2'].map((version) => judged(`npm:mcp-mermaid@${version}`)),
    );

    expect(standings.map(({ standing }) => standing)).toEqual([
      'not_affected',
      'affected',
      'affected',
      'not_affected',
    ]);
    expect((await judged('npm:mcp-mermaid')).advisories[0]?.affected).toEqual(['0.5.1', '0.6.1']);
  });

  it('whose record is withdrawn is not affected', async () => {
    await storeOsv(database, ...sampleRecords());
    await readNpm();

    expect(await judged('npm:react@35.0.0')).toMatchObject({ standing: 'not_affected', advisories: [] });
  });

  it('is found by its own name only: PyPI folds spellings, npm does not', async () => {
    await storeOsv(database, ...sampleRecords());
    await readNpm();

    expect((await judged('pypi:MCP_server.Git==2025.7.1')).standing).toBe('affected');
    expect((await judged('pypi:postmark-mcp==1.0.16')).standing).toBe('unknown');
    expect((await judged('npm:Postmark-MCP@1.0.16')).standing).toBe('not_affected');
  });

  it('has one advisory for records of several sources, with the category of a proof of concept kept', async () => {
    await storeOsv(
      database,
      osvRecord('MAL-2026-1', 'poc', { aliases: ['GHSA-1'] }),
      osvRecord('GHSA-1', 'poc', { database_specific: { severity: 'CRITICAL' } }),
      osvRecord('LWA-2026-1', 'poc', {
        aliases: ['MAL-2026-1'],
        summary: 'Proof of concept',
        affected: [{ package: { ecosystem: 'npm', name: 'poc' }, versions: ['1.0.0'] }],
        database_specific: { leitwacht: { category: 'research_poc' } },
      }),
      osvRecord('CVE-2026-1', 'poc'),
    );

    const { standing, advisories } = await judged('npm:poc');

    expect(standing).toBe('affected');
    expect(advisories).toHaveLength(2);
    expect(advisories.find(({ id }) => id === 'LWA-2026-1')).toMatchObject({
      aliases: ['GHSA-1', 'MAL-2026-1'],
      category: 'research_poc',
      severity: 'critical',
      summary: 'Proof of concept',
    });
  });
});

it('is malware where one of several sources says so, whatever the ids are', async () => {
  await storeOsv(
    database,
    osvRecord('GHSA-1', 'bad', { aliases: ['MAL-2026-1'] }),
    osvRecord('MAL-2026-1', 'bad'),
  );

  expect((await judged('npm:bad')).advisories).toMatchObject([
    { id: 'MAL-2026-1', category: 'malware', aliases: ['GHSA-1'] },
  ]);
});

describe('a package without an advisory', () => {
  it('is unknown until a database of its registry was read, and again a week later', async () => {
    const before = await judged('npm:sound');
    await readNpm();
    const read = await judged('npm:sound');
    await setClock(database, '2026-11-28T00:00:00Z');
    const onLastDay = await judged('npm:sound');
    await setClock(database, '2026-11-28T00:00:01Z');
    const later = await judged('npm:sound');

    expect(before).toEqual({ standing: 'unknown', advisories: [], asOf: null });
    expect(read).toEqual({ standing: 'not_affected', advisories: [], asOf: '2026-11-21T00:00:00.000000Z' });
    expect(onLastDay.standing).toBe('not_affected');
    expect(later).toEqual({ standing: 'unknown', advisories: [], asOf: '2026-11-21T00:00:00.000000Z' });
  });

  it('is unknown where only another registry was read', async () => {
    await readNpm();

    expect((await judged('pypi:sound')).standing).toBe('unknown');
  });
});

it('judges any number of packages by two statements, in their order', async () => {
  await storeOsv(database, ...Array.from({ length: 50 }, (_, n) => osvRecord(`MAL-2026-${n}`, `bad-${n}`)));
  await readNpm();
  const statements: string[] = [];
  const counted: Connection = {
    ...database,
    query: (sql, bind) => {
      statements.push(sql);
      return database.query(sql, bind);
    },
  };
  const names = Array.from({ length: 50 }, (_, n) => [`npm:good-${n}`, `npm:bad-${n}@1.0.0`]).flat();

  const judgements = await judgePackages(counted, names.map(readPackage));

  expect(statements).toHaveLength(2);
  expect(judgements.map(({ standing }) => standing)).toEqual(
    names.map((name) => (name.includes('bad') ? 'affected' : 'not_affected')),
  );
});
