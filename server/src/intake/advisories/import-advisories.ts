import type { AdvisoryRow } from '../../catalog/advisories/advisory-row.ts';
import { saveAdvisories, saveReadings } from '../../catalog/advisories/save-advisories.ts';
import type { Rejection } from '../../catalog/listings/listing-row.ts';
import type { Database } from '../../platform/database/connect.ts';
import { retryConflicts } from '../../platform/database/retried-transaction.ts';
import type { ProgressReporter } from '../import/progress-reporter.ts';
import { readAhead } from '../import/read-batches.ts';
import type { Reject, RejectsFile } from '../import/rejects-file.ts';
import { inBatchTransaction } from '../import/store-rows.ts';
import { AdvisoryCounter, type AdvisoryCounts } from './advisory-counts.ts';
import { type OsvSource, type OsvText, readOsvTexts } from './osv-sources.ts';
import { parseOsv } from './parse-osv.ts';

export interface AdvisoryImport {
  readonly database: Database;
  readonly sources: readonly OsvSource[];
  /** True if the sources are only parts of their databases, so that a package without a record is not known to be free. */
  readonly isPartial: boolean;
  readonly rejects: RejectsFile;
  readonly reporter: ProgressReporter;
  readonly signal: AbortSignal;
}

/** Records of one transaction. The time per record hardly falls beyond this. */
const BATCH_RECORDS = 1_000;

/**
 * Imports OSV records in batches, each in one transaction. It needs no saved position: after an interruption, the same
 * import passes over the stored records, whose content is unchanged. At the end it stores which databases were read,
 * unless they were read in part. 250,000 records take less than 60 s (`npm run bench -- advisories`).
 */
export async function importAdvisories(input: AdvisoryImport): Promise<AdvisoryCounts> {
  const { database, sources, isPartial, reporter, signal } = input;
  const counter = new AdvisoryCounter();
  for (const source of sources) {
    reporter.begin(source.form === 'folder' ? 'advisories, files' : 'advisories, bytes', source.size);
    let read = 0;
    for await (const batch of readAhead(readRecords(source))) {
      await storeBatch(input, source, batch, counter);
      reporter.advance(batch.read - read);
      read = batch.read;
      if (signal.aborted) return { ...counter.counts, finished: false };
    }
    reporter.end();
  }
  if (!isPartial) await saveReadings(database, counter.readings());
  return { ...counter.counts, finished: true };
}

/** Records of one batch, with what could not be read. */
interface RecordBatch {
  readonly rows: readonly AdvisoryRow[];
  readonly rejects: readonly Reject[];
  readonly otherEcosystems: number;
  readonly read: number;
}

async function* readRecords(source: OsvSource): AsyncGenerator<RecordBatch> {
  let rows: AdvisoryRow[] = [];
  let rejects: Reject[] = [];
  let otherEcosystems = 0;
  let read = 0;
  for await (const record of readOsvTexts(source)) {
    const parsed = parseText(record);
    if (parsed.kind === 'advisory') rows.push(parsed.row);
    else if (parsed.kind === 'other_ecosystem') otherEcosystems += 1;
    else rejects.push(rejectOf(record, parsed));
    read = record.read;
    if (rows.length + rejects.length + otherEcosystems < BATCH_RECORDS) continue;
    yield { rows, rejects, otherEcosystems, read };
    rows = [];
    rejects = [];
    otherEcosystems = 0;
  }
  if (rows.length + rejects.length + otherEcosystems > 0) yield { rows, rejects, otherEcosystems, read };
}

function parseText({ text, problem }: OsvText): ReturnType<typeof parseOsv> {
  if (text !== null) return parseOsv(text);
  return { kind: 'rejected', code: 'unreadable', reason: problem ?? 'not readable' };
}

function rejectOf({ file, line, excerpt }: OsvText, { code, reason }: Rejection): Reject {
  return { file, line, code, reason, row: excerpt };
}

async function storeBatch(
  { database, rejects }: AdvisoryImport,
  { form }: OsvSource,
  batch: RecordBatch,
  counter: AdvisoryCounter,
): Promise<void> {
  const outcomes = await retryConflicts(() =>
    inBatchTransaction(database, (connection) => saveAdvisories(connection, batch.rows)),
  );
  // A single record is never a whole database.
  for (const [index, row] of batch.rows.entries()) counter.addRow(row, outcomes[index], form !== 'document');
  for (const { reason } of batch.rejects) counter.addReject(reason);
  counter.addOthers(batch.otherEcosystems);
  await rejects.append(batch.rejects);
}
