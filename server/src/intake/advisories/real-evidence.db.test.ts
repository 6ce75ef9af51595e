import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { repositoryFacts } from '../../../testing/scoring/golden-vectors.ts';
import { ECOSYSTEM_RULES, type Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import { judgePackages } from '../../catalog/advisories/judge-packages.ts';
import { readPackage } from '../../catalog/advisories/read-package.ts';
import { saveFacts } from '../../catalog/facts/observed-facts.ts';
import { refreshAllStandings } from '../../catalog/facts/refresh-standings.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import { type Verdict, verdictOf } from '../../scoring/verdict/verdict.ts';
import { importAnyFiles } from './import-any-files.ts';

/** Folder of the whole data set with its evidence; without it, vitest leaves out this file. */
const folder = process.env.LISTINGS_DIR ?? '';
/** Time at which published versions of the tests were read. */
const NOW = '2026-08-23T00:00:00Z';

/** Repositories of listings that the traps are about. */
const TRAPS = ['activecampaign/postmark-mcp', 'hustcc/mcp-mermaid', 'hustcc/mcp-echarts', 'mastra-ai/mastra'];

interface Label {
  subject: string;
  label: 'bad' | 'good' | 'suspect';
  scope?: 'package' | 'versions' | 'artifact' | 'unknown';
  versions?: readonly string[] | string | null;
  advisory?: string | null;
  listings: readonly string[];
}

describe('the advisories of the data set', () => {
  let test: TestDatabase;
  let output: string;
  let labels: Label[];
  /** Ids and aliases of the imported records, and packages that they name. */
  let known: { names: Set<string>; packages: Set<string> };

  beforeAll(async () => {
    test = await createTestDatabase();
    output = await mkdtemp(join(tmpdir(), 'evidence-'));
    const evidence = join(folder, 'evidence');
    const files = ['mcp-registry.ndjson', 'osv.ndjson'].map((name) => join(evidence, name));
    labels = linesOf<Label>(await readFile(join(evidence, 'labels.ndjson'), 'utf8'));
    known = namesOf(linesOf(await readFile(join(evidence, 'osv.ndjson'), 'utf8')));
    const listings = await writeListingsOf(new Set([...TRAPS, ...labels.flatMap((each) => each.listings)]));
    const imported = await run([listings, ...files]);
    console.log('imported advisories:', imported.advisories);
  }, 300_000);

  afterAll(async () => {
    await test.close();
    await rm(output, { recursive: true });
  });

  /** Writes the rows of these repositories, and of packages that a record names, to a file of their own. */
  async function writeListingsOf(repositories: ReadonlySet<string>): Promise<string> {
    const lines = (await readFile(join(folder, 'listings.ndjson'), 'utf8')).trimEnd().split('\n');
    const chosen = lines.filter((line) => {
      const { repository, npmPackage, pypiPackage } = JSON.parse(line) as Record<string, string | null>;
      const named = [`npm:${npmPackage}`, `pypi:${pypiPackage}`].some((name) => known.packages.has(name));
      return named || repositories.has(repository ?? '');
    });
    const path = join(output, 'listings.ndjson');
    await writeFile(path, `${chosen.join('\n')}\n`);
    return path;
  }

  function run(paths: readonly string[]) {
    const rejectsPath = join(output, 'rejects.ndjson');
    return importAnyFiles(test.database, embeddedBackend, paths, {
      rejectsPath,
      // The records are a sample. As a whole database, they also tell which releases no record affects.
      extent: 'all',
      output: { write: () => true },
    });
  }

  async function importCatalogue(entries: readonly object[]): Promise<void> {
    const path = join(output, 'catalogue.json');
    await writeFile(path, JSON.stringify({ schema_version: '0.2.0', entries }));
    await run([path]);
  }

  async function standingOf(repository: string): Promise<PackageStanding | null> {
    const rows = await test.database.query<{ value: PackageStanding }>(
      `SELECT o.value FROM observed_fact o JOIN listing l ON l.subject_id = o.subject_id
       WHERE o.fact = 'package_standing' AND lower(l.repository) = lower($1)`,
      [repository],
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    return rows[0]?.value ?? null;
  }

  function judge(standing: PackageStanding | null): Verdict {
    const record = { fact: 'package_standing' as const, observedAt: NOW, source: 'osv' };
    const observed = standing === null ? [] : [{ ...record, value: standing }];
    const facts = { ...repositoryFacts(), observed };
    return verdictOf({ confidence: 80, contributions: [], caps: [], facts, factsAt: NOW });
  }

  /**
   * Confirms the package of a listing, as a reading of both sides does, and stores the version that its registry shows.
   */
  async function publish(
    repository: string,
    name: string,
    version: string | null,
    releasedAt = NOW,
  ): Promise<void> {
    const [listing] = await test.database.query<{ id: string }>(
      'SELECT subject_id AS id FROM listing WHERE lower(repository) = lower($1)',
      [repository],
    );
    if (listing === undefined) throw new Error(`${repository} is not listed`);
    await writeListings(
      test.database,
      'UPDATE listing SET npm_package = $2, npm_confirmed = true WHERE subject_id = $1',
      [listing.id, name],
    );
    const value = { provenance: null, deprecated: null, monthlyDownloads: null };
    if (version !== null) {
      await saveFacts(test.database, [
        {
          ...{
            subjectId: listing.id,
            fact: 'published_package',
            source: 'npm',
            url: 'https://registry.npmjs.org',
            license: null,
          },
          value: { ...value, ecosystem: 'npm', name, version, releasedAt },
        },
      ]);
    }
    await refreshAllStandings(test.database);
  }

  it('give no Warning to a listing that is labelled good', async () => {
    const good = new Set(labels.filter(({ label }) => label === 'good').flatMap(({ listings }) => listings));
    const warned: string[] = [];
    for (const repository of good)
      if (judge(await standingOf(repository)).state === 'warning') warned.push(repository);
    const [counted] = await test.database.query<{ confirmed: number; judged: number }>(
      `SELECT (SELECT count(*)::int FROM listing WHERE npm_confirmed OR pypi_confirmed) AS confirmed,
         (SELECT count(*)::int FROM observed_fact WHERE fact = 'package_standing') AS judged`,
    );

    console.log('listings labelled good:', good.size, 'with a Warning:', warned.length, counted);
    expect(good.size).toBeGreaterThan(300);
    expect(warned).toEqual([]);
    expect(counted?.judged).toBe(counted?.confirmed);
  });

  it('affect each bad row that a record is about: the package, or its listed versions and not the next', async () => {
    const bad = labels.filter(({ label }) => label === 'bad');
    const covered = bad.filter((row) => isCovered(row, known));
    const counts = { bad: bad.length, covered: covered.length, notCovered: bad.length - covered.length };

    await expectEveryRow(
      covered,
      ({ subject, versions }) => `${subject} ${JSON.stringify(versions)}`,
      async ({ subject, scope, versions }) => {
        const listed = scope === 'versions' ? versionsOf(versions) : [null, '0.0.1', '4567.8.9'];
        const separator = subject.startsWith('pypi:') ? '==' : '@';
        const asked = (version: string | null) =>
          version === null ? subject : `${subject}${separator}${version}`;
        const judged = await judgePackages(
          test.database,
          listed.map((version) => readPackage(asked(version))),
        );
        expect(judged.map(({ standing }) => standing)).toEqual(listed.map(() => 'affected'));
        if (scope !== 'versions' || typeof versions === 'string') return;
        const [next] = await judgePackages(test.database, [
          readPackage(asked(nextOf(subject, versionsOf(versions)))),
        ]);
        expect(next?.standing).toBe('not_affected');
      },
    );
    console.log('rows labelled bad:', counts);
    expect(covered.length).toBeGreaterThan(70);
  });

  it('say nothing about a repository that a malicious package of the same name impersonated', async () => {
    expect(await standingOf('activecampaign/postmark-mcp')).toBeNull();
    expect(judge(null).state).not.toBe('warning');
  });

  it('name the two hijacked versions of a sound package, as a Warning of 90 days', async () => {
    await publish('hustcc/mcp-mermaid', 'mcp-mermaid', null);
    const unread = judge(await standingOf('hustcc/mcp-mermaid'));
    await publish('hustcc/mcp-mermaid', 'mcp-mermaid', '0.7.0', '2026-06-01T00:00:00Z');
    const read = await standingOf('hustcc/mcp-mermaid');

    expect(unread).toMatchObject({ state: 'warning', reasons: ['malware_in_some_versions'] });
    expect(judge(read)).toMatchObject({
      state: 'warning',
      reasons: expect.arrayContaining(['malware_in_earlier_versions']),
    });
    expect(judge(read).sentence).toContain('0.5.1, 0.6.1');
    expect(read).toMatchObject({ published: 'not_affected', everyVersion: false });
  });

  it('are found once the package of a listing is known, and give one Warning for many packages of a repository', async () => {
    const entry = (name: string, ...versions: string[]) => ({
      id: `campaign-${name}`,
      ecosystem: 'npm',
      package: name,
      versions,
    });
    const parts = Array.from({ length: 140 }, (_, n) => entry(`@mastra/part-${n}`, '1.0.1'));
    await importCatalogue([
      entry('mcp-echarts', '0.8.1', '0.9.1'),
      entry('@mastra/core', '1.42.1'),
      ...parts,
    ]);
    const before = await standingOf('hustcc/mcp-echarts');
    await publish('hustcc/mcp-echarts', 'mcp-echarts', '0.10.0');
    await publish('mastra-ai/mastra', '@mastra/core', '1.43.0');

    expect(before?.malwareVersions ?? []).toEqual([]);
    expect(judge(await standingOf('hustcc/mcp-echarts')).sentence).toContain('0.8.1, 0.9.1');
    const mastra = judge(await standingOf('mastra-ai/mastra'));
    expect(mastra.reasons.filter((code) => code.startsWith('malware'))).toEqual([
      'malware_in_earlier_versions',
    ]);
    expect(mastra.sentence).toContain('1.42.1');
  });

  it('do not affect packages whose records are withdrawn', async () => {
    const withdrawn = [
      'admin-panel',
      'bank-settings',
      'integrations',
      'invoices',
      'ocore',
      'pwn',
      'react',
      'tracker',
    ];
    const judged = await judgePackages(
      test.database,
      withdrawn.map((name) => readPackage(`npm:${name}`)),
    );

    expect(judged.map(({ standing }) => standing)).toEqual(withdrawn.map(() => 'not_affected'));
  });

  it('keep source and prefix of records with an unregistered prefix, and call no proof of concept malware', async () => {
    const [leitwacht] = await test.database.query<{ records: number; ids: boolean }>(
      `SELECT count(*)::int AS records, bool_and(id LIKE 'LWA-%' AND problem LIKE 'id: the prefix LWA-%') AS ids
       FROM advisory WHERE source = 'Leitwacht'`,
    );
    // Uses a listing without malware, because malware of a former package would still count.
    await publish('activecampaign/postmark-mcp', 'atlassian-forge-skills', '29.1.0');
    const research = judge(await standingOf('activecampaign/postmark-mcp'));

    expect(leitwacht?.records).toBeGreaterThan(50);
    expect(leitwacht?.ids).toBe(true);
    expect(research).toMatchObject({
      state: 'well_evidenced',
      reasons: expect.arrayContaining(['research_package']),
    });
    expect(JSON.stringify(research)).not.toMatch(/malware/i);
  });
});

function linesOf<Row>(text: string): Row[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

interface OsvNames {
  id: string;
  aliases?: string[];
  affected: { package: { ecosystem: string; name: string } }[];
}

function namesOf(records: readonly OsvNames[]) {
  return {
    names: new Set(records.flatMap(({ id, aliases = [] }) => [id, ...aliases])),
    packages: new Set(
      records.flatMap(({ affected }) =>
        affected.map(({ package: named }) => `${named.ecosystem.toLowerCase()}:${named.name}`),
      ),
    ),
  };
}

/**
 * Returns true if the record of a row was imported. For a row whose source is no OSV record, any record about the
 * package counts.
 */
function isCovered(
  { subject, scope, advisory }: Label,
  known: { names: Set<string>; packages: Set<string> },
): boolean {
  if (scope !== 'package' && scope !== 'versions') return false;
  if (advisory && known.names.has(advisory)) return true;
  return !/^(?:MAL|LWA)-/.test(advisory ?? '') && known.packages.has(subject);
}

/** Returns the listed versions; of a range, the version with which it begins. */
function versionsOf(versions: Label['versions']): string[] {
  if (versions === null || versions === undefined) return [];
  return (typeof versions === 'string' ? [versions] : [...versions]).map((each) => each.replace(/^>=/, ''));
}

/** Returns a version just above the highest of the listed ones. */
function nextOf(subject: string, versions: readonly string[]): string {
  const [ecosystem = 'npm'] = subject.split(':') as [Ecosystem];
  const { compareVersions } = ECOSYSTEM_RULES[ecosystem];
  const highest = versions.toSorted((one, other) => compareVersions(one, other) ?? 0).at(-1) ?? '';
  return highest.replace(/\d+$/, (last) => String(Number(last) + 1));
}
