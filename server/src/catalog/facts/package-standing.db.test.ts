import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, sampleRecords, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { type ListingInput, makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import { saveReadings } from '../advisories/save-advisories.ts';
import { refreshPackages } from '../packages/decide-packages.ts';
import { type ObservedFact, removeFacts, saveFacts } from './observed-facts.ts';
import { createStandingJob, refreshAllStandings } from './refresh-standings.ts';

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

/** Makes a listing whose packages are confirmed. */
async function confirmed(input: ListingInput): Promise<string> {
  const { id } = await makeListing(database, input);
  await writeListings(
    database,
    'UPDATE listing SET npm_confirmed = npm_package IS NOT NULL, pypi_confirmed = pypi_package IS NOT NULL WHERE subject_id = $1',
    [id],
  );
  return id;
}

const published = (
  subjectId: string,
  name: string,
  version: string,
  releasedAt: string | null = null,
  ecosystem: 'npm' | 'pypi' = 'npm',
): ObservedFact => ({
  subjectId,
  fact: 'published_package',
  value: { ecosystem, name, version, releasedAt, provenance: null, deprecated: null, monthlyDownloads: null },
  source: ecosystem,
  url: 'https://registry.example/',
  license: null,
});

async function standing(id: string): Promise<PackageStanding | null> {
  const [row] = await database.query<{ value: PackageStanding }>(
    "SELECT value FROM observed_fact WHERE subject_id = $1 AND fact = 'package_standing'",
    [id],
  );
  return row?.value ?? null;
}

async function queued(): Promise<string[]> {
  const rows = await database.query<{ id: string }>('SELECT subject_id AS id FROM score_due ORDER BY 1');
  await database.query('DELETE FROM score_due');
  return rows.map(({ id }) => id);
}

const readWhole = () =>
  saveReadings(database, [
    { source: 'A', ecosystem: 'npm', records: 1 },
    { source: 'A', ecosystem: 'pypi', records: 1 },
  ]);

describe('the standing of a confirmed package', () => {
  it('names hijacked versions of a real record, and follows the published version', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });
    await refreshAllStandings(database);
    const unread = await standing(id);

    const steps = [];
    for (const [version, releasedAt] of [
      ['0.6.1', '2026-05-19T00:00:00Z'],
      ['0.7.0', '2026-05-25T00:00:00Z'],
      ['0.8.0', '2026-09-01T00:00:00Z'],
    ] as const) {
      expect(await saveFacts(database, [published(id, 'mcp-mermaid', version, releasedAt)])).toEqual([id]);
      const { published: state, soundSince } = (await standing(id)) ?? {};
      steps.push([version, state, soundSince]);
    }

    expect(unread).toMatchObject({
      published: 'unread',
      version: null,
      everyVersion: false,
      malwareVersions: ['0.5.1', '0.6.1'],
      advisoryIds: ['MAL-2026-4147'],
    });
    expect(steps).toEqual([
      ['0.6.1', 'malware', null],
      ['0.7.0', 'not_affected', '2026-05-25T00:00:00.000Z'],
      // Further releases do not restart the 90 days.
      ['0.8.0', 'not_affected', '2026-05-25T00:00:00.000Z'],
    ]);
    await removeFacts(database, [id], 'published_package', 'npm');
    expect(await standing(id)).toEqual(unread);
  });

  it('counts from the report where the registry went back to an older version', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });

    await saveFacts(database, [published(id, 'mcp-mermaid', '0.6.0', '2026-01-01T00:00:00Z')]);

    expect(await standing(id)).toMatchObject({
      published: 'not_affected',
      soundSince: '2026-05-19T00:00:00.000Z',
    });
  });

  it('has open vulnerabilities of the published version, with severity and fix', async () => {
    const ranged = (id: string, events: object[], severity: string) =>
      osvRecord(id, 'notes', {
        affected: [
          { package: { ecosystem: 'PyPI', name: 'notes' }, ranges: [{ type: 'ECOSYSTEM', events }] },
        ],
        database_specific: { severity },
      });
    await storeOsv(
      database,
      ranged('PYSEC-1', [{ introduced: '0' }, { fixed: '1.5' }], 'HIGH'),
      ranged('PYSEC-2', [{ introduced: '1.0' }], 'MODERATE'),
      ranged('PYSEC-3', [{ introduced: '0' }, { fixed: '1.0' }], 'CRITICAL'),
    );
    const id = await confirmed({ pypiPackage: 'Notes' });

    await saveFacts(database, [published(id, 'notes', '1.2', null, 'pypi')]);

    expect(await standing(id)).toMatchObject({
      published: 'not_affected',
      malwareVersions: [],
      vulnerabilities: [
        { id: 'PYSEC-1', severity: 'high', fixedIn: '1.5' },
        { id: 'PYSEC-2', severity: 'medium', fixedIn: null },
      ],
    });
  });

  it('names no fix that another range of the same fault affects', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'mcp-remote' });

    await saveFacts(database, [published(id, 'mcp-remote', '0.1.15')]);

    expect((await standing(id))?.vulnerabilities).toEqual([
      { id: 'CVE-2025-6514', severity: 'critical', fixedIn: null },
    ]);
  });

  it('is a proof of concept, and no malware, where its only record says so', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'atlassian-forge-skills' });

    await saveFacts(database, [published(id, 'atlassian-forge-skills', '29.1.0')]);

    expect(await standing(id)).toMatchObject({
      published: 'not_affected',
      isResearch: true,
      malwareVersions: ['29.1.0'],
      soundSince: null,
    });
  });

  it('is that of the graver of two packages, and one for the listing', async () => {
    await storeOsv(database, osvRecord('MAL-1', 'notes-mcp'));
    await readWhole();
    const id = await confirmed({ npmPackage: 'notes-mcp', pypiPackage: 'notes' });

    await refreshAllStandings(database);

    expect(await standing(id)).toMatchObject({ ecosystem: 'npm', everyVersion: true, published: 'unread' });
  });

  it('keeps the malware of a package after another one has taken its place', async () => {
    await storeOsv(database, ...sampleRecords());
    await readWhole();
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });
    await refreshAllStandings(database);

    await writeListings(database, "UPDATE listing SET npm_package = 'sound' WHERE subject_id = $1", [id]);
    await saveFacts(database, [published(id, 'sound', '1.0.0')]);
    const replaced = await standing(id);
    await database.query(
      `INSERT INTO package_reading (ecosystem, name, outcome, version, released_at)
       VALUES ('npm', 'mcp-mermaid', 'read', '0.7.0', '2026-06-01T00:00:00Z')`,
    );
    const queuedLater = [await queued(), await createStandingJob(database)(), await queued()];

    const hijacked = { name: 'mcp-mermaid', malwareVersions: ['0.5.1', '0.6.1'] };
    expect(replaced).toMatchObject({ ...hijacked, published: 'unread' });
    expect(replaced).not.toHaveProperty('others');
    expect(queuedLater.slice(1)).toEqual([1, [id]]);
    expect(await standing(id)).toMatchObject({
      ...hijacked,
      published: 'not_affected',
      version: '0.7.0',
      soundSince: '2026-06-01T00:00:00.000Z',
    });
    await storeOsv(database, {
      ...sampleRecords().find((each) => each.id === 'MAL-2026-4147'),
      modified: '2026-11-20T00:00:00Z',
      withdrawn: '2026-11-20T00:00:00Z',
    });
    await refreshAllStandings(database);
    expect(await standing(id)).toMatchObject({ name: 'sound', malwareVersions: [] });
  });

  it('has the faults of every package of the listing', async () => {
    await storeOsv(database, ...sampleRecords(), osvRecord('MAL-1', 'notes-mcp'));
    await readWhole();
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });
    await refreshAllStandings(database);

    await writeListings(database, "UPDATE listing SET npm_package = 'notes-mcp' WHERE subject_id = $1", [id]);
    await refreshAllStandings(database);

    expect(await standing(id)).toMatchObject({
      name: 'notes-mcp',
      everyVersion: true,
      others: [{ name: 'mcp-mermaid', malwareVersions: ['0.5.1', '0.6.1'] }],
    });
  });

  it('names malware in a pre-release that its registry installs by default', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });
    await database.query(
      `INSERT INTO package_reading (ecosystem, name, outcome, version, default_version, version_times)
       VALUES ('npm', 'mcp-mermaid', 'read', '0.5.0', '0.6.1', '{"0.6.1": "2026-05-18T00:00:00.000Z"}')`,
    );

    await saveFacts(database, [published(id, 'mcp-mermaid', '0.5.0', '2026-01-01T00:00:00Z')]);

    expect(await standing(id)).toMatchObject({
      published: 'not_affected',
      version: '0.5.0',
      defaultMalware: '0.6.1',
    });
    const [shown] = await database.query<{ value: object }>(
      "SELECT value FROM observed_fact WHERE fact = 'package_advisories'",
    );
    expect(shown?.value).toMatchObject({ releasedAt: { '0.6.1': '2026-05-18T00:00:00.000Z' } });
  });

  it('lasts no longer than the readings of its advisories', async () => {
    await storeOsv(database, ...sampleRecords());
    await readWhole();
    const sound = await confirmed({ npmPackage: 'sound' });
    const hijacked = await confirmed({ npmPackage: 'mcp-mermaid' });
    await refreshAllStandings(database);
    await queued();
    const job = createStandingJob(database);

    await setClock(database, '2026-11-28T00:00:00Z');
    const onLastDay = [await job(), await queued()];
    await setClock(database, '2026-11-28T00:00:01Z');
    const later = [await job(), await queued()];
    const again = [await job(), await queued()];

    expect([onLastDay, later, again]).toEqual([
      [0, []],
      [2, [sound, hijacked].sort()],
      [0, []],
    ]);
    expect(await standing(sound)).toBeNull();
    expect(await standing(hijacked)).toMatchObject({
      malwareVersions: ['0.5.1', '0.6.1'],
      isOutdated: true,
    });
  });

  it('is not written again without a change', async () => {
    await storeOsv(database, ...sampleRecords());
    await confirmed({ npmPackage: 'mcp-mermaid' });
    const rows = () => database.query('SELECT fact, xmin::text, observed_at FROM observed_fact ORDER BY 1');
    await refreshAllStandings(database);
    const unread = await rows();
    await setClock(database, '2026-11-22T00:00:00Z');
    await refreshAllStandings(database);
    const unchanged = await rows();
    await readWhole();
    await refreshAllStandings(database);
    const read = await rows();
    await setClock(database, '2026-11-23T00:00:00Z');
    await refreshAllStandings(database);

    expect(unchanged).toEqual(unread);
    expect(read).not.toEqual(unread);
    expect(await rows()).toEqual(read);
  });

  it('is unknown until a database of its registry was read', async () => {
    const id = await confirmed({ npmPackage: 'sound' });
    await saveFacts(database, [published(id, 'sound', '1.0.0')]);
    const before = await standing(id);
    await readWhole();
    await refreshAllStandings(database);

    expect(before).toBeNull();
    expect(await standing(id)).toMatchObject({ published: 'not_affected', advisoryIds: [] });
  });
});

describe('a listing', () => {
  it('whose package only a list names has no standing, and loses it when the confirmation ends, but not malware', async () => {
    await storeOsv(database, ...sampleRecords());
    await readWhole();
    const named = await makeListing(database, { npmPackage: 'postmark-mcp' });
    const sound = await confirmed({ npmPackage: 'sound' });
    const hijacked = await confirmed({ npmPackage: 'mcp-mermaid' });
    await refreshAllStandings(database);
    const versions = async (id: string) => (await standing(id))?.malwareVersions ?? null;
    const before = [await versions(named.id), await versions(sound), await versions(hijacked)];
    await queued();

    // No entry of the MCP registry is stored, so nothing confirms the packages.
    const { due } = await refreshPackages(database, [sound, hijacked]);

    expect(before).toEqual([null, [], ['0.5.1', '0.6.1']]);
    expect([await versions(sound), await versions(hijacked)]).toEqual([null, ['0.5.1', '0.6.1']]);
    expect(due).toContain(sound);
  });

  it('is queued for scoring when its standing changes, and only then', async () => {
    const record = osvRecord('MAL-1', 'notes-mcp');
    await storeOsv(database, record);
    await readWhole();
    const bad = await confirmed({ npmPackage: 'notes-mcp' });
    const sound = await confirmed({ npmPackage: 'sound' });

    const first = [await refreshAllStandings(database), await queued()];
    const again = [await refreshAllStandings(database), await queued()];
    const withdrawn = { modified: '2026-11-20T00:00:00Z', withdrawn: '2026-11-20T00:00:00Z' };
    await storeOsv(database, { ...record, ...withdrawn });
    const after = [await refreshAllStandings(database), await queued()];

    expect(first).toEqual([2, [bad, sound].sort()]);
    expect(again).toEqual([0, []]);
    expect(after).toEqual([1, [bad]]);
    expect(await standing(bad)).toMatchObject({ malwareVersions: [], advisoryIds: [] });
    const [{ states } = { states: 0 }] = await database.query<{ states: number }>(
      "SELECT count(*)::int AS states FROM advisory_history WHERE advisory_id = 'MAL-1'",
    );
    expect(states).toBe(1);
  });

  it('is queued once when its Warning ends by the passage of time', async () => {
    await storeOsv(database, ...sampleRecords());
    const id = await confirmed({ npmPackage: 'mcp-mermaid' });
    await saveFacts(database, [published(id, 'mcp-mermaid', '0.7.0', '2026-06-01T00:00:00Z')]);
    await queued();
    const job = createStandingJob(database);
    const scoredAt = (moment: string) =>
      database.query('UPDATE subject SET current_version = $2::timestamptz WHERE id = $1', [id, moment]);
    await scoredAt('2026-08-29T00:00:00Z');

    await setClock(database, '2026-08-30T00:00:00Z');
    const onLastDay = [await job(), await queued()];
    await setClock(database, '2026-08-30T00:00:01Z');
    const later = [await job(), await queued()];
    await scoredAt('2026-08-30T00:00:02Z');
    const scored = [await job(), await queued()];

    expect([onLastDay, later, scored]).toEqual([
      [0, []],
      [1, [id]],
      [0, []],
    ]);
  });
});
