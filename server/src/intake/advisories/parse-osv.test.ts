import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OSV_SAMPLE, osvRecord } from '../../../testing/advisories/sample-advisories.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import type { AdvisoryRow } from '../../catalog/advisories/save-advisories.ts';
import { parseOsv } from './parse-osv.ts';

function rowOf(record: object): AdvisoryRow {
  const parsed = parseOsv(JSON.stringify(record));
  if (parsed.kind !== 'advisory') throw new Error(JSON.stringify(parsed));
  return parsed.row;
}

const LINES = readFileSync(OSV_SAMPLE, 'utf8').trimEnd().split('\n');

describe('parseOsv', () => {
  it('reads every real record, and says which ones break the published schema', () => {
    const rows = LINES.map((line) => rowOf(JSON.parse(line)));

    expect(rows.every(({ packages }) => packages.length === 1)).toBe(true);
    expect(rows.filter(({ problem }) => problem !== null).map(({ id, problem }) => [id, problem])).toEqual([
      ['LWA-2026-10026', 'id: the prefix LWA- is not registered in the published schema'],
      ['LWA-2026-4815', 'id: the prefix LWA- is not registered in the published schema'],
    ]);
  });

  it('reads source, address, category, severity and times of real records', () => {
    const byId = new Map(LINES.map((line) => rowOf(JSON.parse(line))).map((row) => [row.id, row]));

    expect(byId.get('MAL-2025-47604')).toMatchObject({
      source: 'OpenSSF Malicious Packages',
      url: 'https://osv.dev/vulnerability/MAL-2025-47604',
      category: 'malware',
      severity: null,
      withdrawnAt: null,
      modifiedAt: '2025-09-26T04:14:45.000Z',
    });
    expect(byId.get('LWA-2026-4815')).toMatchObject({
      source: 'Leitwacht',
      url: 'https://threatintel.leitwacht.eu/d/LWA-2026-4815',
      category: 'research_poc',
      aliases: ['MAL-2026-5891'],
    });
    expect(byId.get('CVE-2025-6514')).toMatchObject({ severity: 'critical', category: 'vulnerability' });
    expect(byId.get('PYSEC-2026-1077')).toMatchObject({ severity: 'high', packages: [{ name: 'agno' }] });
    expect(byId.get('MAL-2024-2929')).toMatchObject({ withdrawnAt: '2024-07-01T03:32:00.000Z' });
  });

  it('rejects what cannot be stored, with the reason', async () => {
    const affected = (change: object) => ({
      affected: [{ package: { ecosystem: 'npm', name: 'a' }, ...change }],
    });
    const rows: readonly [text: string, reason: RegExp][] = [
      ['{', /not valid JSON/],
      ['[]', /not an OSV record/],
      ['{"id": "MAL-1"}', /not an OSV record/],
      [JSON.stringify(osvRecord('MAL 1', 'a')), /^id: /],
      [JSON.stringify(osvRecord('MAL-1', 'a', { modified: 'yesterday' })), /^modified: /],
      [JSON.stringify(osvRecord('MAL-1', 'a b')), /^affected\.package\.name: /],
      [
        JSON.stringify(osvRecord('MAL-1', 'a', affected({ ranges: [{ type: 'GIT', events: [] }] }))),
        /commits only/,
      ],
    ];

    await expectEveryRow(
      rows,
      ([text]) => text,
      ([text, reason]) =>
        expect(parseOsv(text)).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(reason) }),
    );
  });

  it('reads records of other ecosystems, and records without any package, as rows without packages', () => {
    const crate = { affected: [{ package: { ecosystem: 'crates.io', name: 'a' } }] };

    expect(rowOf(osvRecord('RUSTSEC-1', 'a', crate))).toMatchObject({ packages: [] });
    expect(rowOf(osvRecord('MAL-1', 'a', { affected: [], withdrawn: '2026-11-02T00:00:00Z' }))).toMatchObject(
      {
        packages: [],
        withdrawnAt: '2026-11-02T00:00:00.000Z',
      },
    );
  });

  it('counts all versions as affected where a version of a range cannot be read, and says so', () => {
    const record = osvRecord('MAL-1', 'a', {
      affected: [
        {
          package: { ecosystem: 'npm', name: 'a' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: 'next' }] }],
        },
      ],
    });

    expect(rowOf(record)).toMatchObject({
      problem: expect.stringContaining('all versions count as affected'),
      packages: [{ intervals: [{ from: null, before: null, through: null }] }],
    });
  });

  it('marks disputed records, and keeps no control characters and no address that is not of the web', () => {
    const row = rowOf(
      osvRecord('XYZ-1', 'a', {
        summary: 'a\u0000b\nc',
        details: '** DISPUTED ** by its maintainer',
        references: [
          { type: 'WEB', url: 'javascript:alert(1)//XYZ-1' },
          { type: 'WEB', url: 'https://example.com/x' },
        ],
      }),
    );

    expect(row).toMatchObject({
      disputed: true,
      summary: 'a b c',
      source: 'XYZ',
      url: 'https://example.com/x',
    });
  });

  it('never throws, whatever the members are', () => {
    const member = fc.constantFrom(
      'id',
      'modified',
      'affected',
      'aliases',
      'severity',
      'references',
      'database_specific',
      'details',
    );
    fc.assert(
      fc.property(fc.dictionary(member, fc.jsonValue()), (changes) => {
        expect(parseOsv(JSON.stringify(osvRecord('MAL-1', 'a', changes)))).toHaveProperty('kind');
      }),
    );
  });
});
