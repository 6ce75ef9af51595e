import { readFileSync } from 'node:fs';
import { saveAdvisories } from '../../src/catalog/advisories/save-advisories.ts';
import { parseOsv } from '../../src/intake/advisories/parse-osv.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';

/** Path of the sample of real records; its README names their sources and licences. */
export const OSV_SAMPLE = new URL('./osv-sample.ndjson', import.meta.url).pathname;

/** An OSV record, as far as tests read it. */
export interface SampleRecord {
  readonly id: string;
  readonly schema_version?: string;
  readonly modified: string;
  readonly published?: string;
  readonly summary?: string;
  readonly affected: readonly {
    readonly package: { readonly ecosystem: string; readonly name: string };
    readonly versions?: readonly string[];
    readonly ranges?: readonly {
      readonly type: string;
      readonly events: readonly Record<string, string>[];
    }[];
  }[];
}

/** Reads the records of the sample. */
export function sampleRecords(): SampleRecord[] {
  const lines = readFileSync(OSV_SAMPLE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as SampleRecord);
}

/** Creates a record about all versions of an npm package; `changes` replace its members. */
export function osvRecord(id: string, name: string, changes: object = {}): SampleRecord {
  return {
    schema_version: '1.7.0',
    id,
    modified: '2026-11-01T00:00:00Z',
    published: '2026-11-01T00:00:00Z',
    summary: `A fault of ${name}`,
    affected: [
      {
        package: { ecosystem: 'npm', name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
      },
    ],
    ...changes,
  };
}

/** Stores records as an import does, without recording that a whole advisory database was read. */
export async function storeOsv(database: Database, ...records: readonly object[]): Promise<void> {
  const rows = records.map((record) => {
    const parsed = parseOsv(JSON.stringify(record));
    if (parsed.kind !== 'advisory') throw new Error(`no advisory: ${JSON.stringify(parsed)}`);
    return parsed.row;
  });
  await inTransaction(database, (connection) => saveAdvisories(connection, rows));
}
