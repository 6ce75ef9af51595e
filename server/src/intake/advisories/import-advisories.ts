import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type AdvisoryDispute,
  type AdvisoryRow,
  databasesOf,
  findNewer,
  saveAdvisories,
  saveDisputes,
  saveReadings,
} from '../../catalog/advisories/save-advisories.ts';
import { refreshAllStandings } from '../../catalog/facts/refresh-standings.ts';
import type { Rejection } from '../../catalog/listings/listing-row.ts';
import type { Database } from '../../platform/database/connect.ts';
import { retryConflicts } from '../../platform/database/transaction.ts';
import type { ProgressReporter } from '../import/progress-reporter.ts';
import type { Reject, RejectsFile } from '../import/rejects-file.ts';
import { readAhead } from '../import/scan-files.ts';
import { inBatchTransaction } from '../import/store-rows.ts';
import { AdvisoryCounter, type AdvisoryCounts } from './advisory-counts.ts';
import { INDEX_NAME, type OsvSource, type OsvText, readIndex, readOsvTexts } from './osv-sources.ts';
import { CATALOGUE_SOURCE, type ParsedAdvisory, parseAdvisories } from './parse-advisories.ts';

/**
 * Says which sources count as whole databases: `all` (except single documents), `none`, or those that OSV publishes as
 * a whole (`stated`), which are an ecosystem's `all.zip` and a folder with every record of its index. A package without
 * a record in a whole database counts as unaffected.
 */
export type AdvisoryExtent = 'all' | 'stated' | 'none';

export interface AdvisoryImport {
  readonly database: Database;
  readonly sources: readonly OsvSource[];
  readonly extent: AdvisoryExtent;
  readonly rejects: RejectsFile;
  readonly reporter: ProgressReporter;
  readonly signal: AbortSignal;
  /** Time at which the sources were read from their databases; null to use the times of their files. */
  readonly readAt: Date | null;
}

/**
 * Number of records after which a batch is stored in one transaction; a document with many records can exceed it.
 * Larger batches hardly reduce the time per record.
 */
const BATCH_RECORDS = 1_000;

/**
 * Imports records about advisories in batches, each in one transaction. It needs no saved position: after an
 * interruption, the same import skips the records that are already stored. At the end it stores which databases were
 * read completely. It then judges the packages of all listings again, and queues a listing for scoring if the security
 * status of its packages has changed. 250,000 records take less than 60 s (`npm run bench -- advisories`).
 */
export async function importAdvisories(input: AdvisoryImport): Promise<AdvisoryCounts> {
  const { database, extent, reporter, signal } = input;
  const counter = new AdvisoryCounter();
  let fileMs = Number.POSITIVE_INFINITY;
  for (const each of input.sources) {
    fileMs = Math.min(fileMs, await changedMs(each));
    const { source, expected } = await narrowByIndex(input, each, counter);
    reporter.begin(source.form === 'folder' ? 'advisories, files' : 'advisories, bytes', source.size);
    let read = 0;
    for await (const batch of readAhead(readRecords(source, expected, input.readAt))) {
      await storeBatch(input, source, batch, counter);
      reporter.advance(batch.read - read);
      read = batch.read;
      if (signal.aborted) break;
    }
    if (signal.aborted) break;
    if (extent !== 'none' && expected !== null && expected.missing.size === 0)
      counter.addReadings(await databasesOf(database, expected.listed));
    reporter.end();
  }
  // Uses the time of the files instead of the time of the import, because a file contains what was known when it was
  // written. Records state when they were changed, not when they were read.
  const readAt = input.readAt ?? new Date(fileMs);
  const readings = counter.readings().map((each) => ({ ...each, readAt: readAt.toISOString() }));
  if (!signal.aborted) await saveReadings(database, readings);
  await refreshAllStandings(database);
  const reading = readings.length === 0 ? null : { readAt, isOfFile: input.readAt === null };
  return { ...counter.counts, finished: !signal.aborted, reading };
}

/**
 * Returns when a source was last changed. For a folder, this is the time of its index; without an index, the latest
 * time among its last 1,000 files by name.
 */
async function changedMs({ path, form, files, index }: OsvSource): Promise<number> {
  if (form !== 'folder') return (await stat(path)).mtimeMs;
  const names = index === null ? files.map((name) => join(path, name)) : [index];
  const times = await Promise.all(
    names.slice(-MAX_DATED_FILES).map(async (name) => (await stat(name)).mtimeMs),
  );
  return times.reduce((latest, ms) => Math.max(latest, ms), 0);
}

/** Maximum files of a folder whose times are read, because a folder can have hundreds of thousands. */
const MAX_DATED_FILES = 1_000;

/** Records that the index of a folder lists. */
interface ExpectedRecords {
  readonly listed: readonly string[];
  /** Records that are newer than the stored ones, by id, each with the time at which its database changed it. */
  readonly newer: ReadonlyMap<string, number>;
  /** Newer records whose file is missing or older than the index says. Filled while reading. */
  readonly missing: Set<string>;
}

/**
 * Restricts a folder with an index to the files of records that are newer than the stored ones. Reports newer records
 * without a file. Other sources are read completely.
 */
async function narrowByIndex(
  { database, rejects }: AdvisoryImport,
  source: OsvSource,
  counter: AdvisoryCounter,
): Promise<{ source: OsvSource; expected: ExpectedRecords | null }> {
  if (source.index === null) return { source, expected: null };
  const indexed = new Map<string, { id: string; modifiedMs: number; line: number; excerpt: string }>();
  const reported: Reject[] = [];
  const report = (line: number, row: string, code: Reject['code'], reason: string) => {
    reported.push({ file: INDEX_NAME, line, code, reason, row });
    counter.addReject(reason);
  };
  for await (const { entry, line, excerpt } of readIndex(source.index)) {
    if (entry !== null) indexed.set(entry.id, { ...entry, line, excerpt });
    else report(line, excerpt, 'invalid', 'must be a time and the id of a record, with a comma between them');
  }
  const newer = await findNewer(database, [...indexed.values()]);
  const files = source.files.filter((name) => newer.has(idOfFile(name)));
  const present = new Set(files.map(idOfFile));
  const missing = new Set([...newer].filter((id) => !present.has(id)));
  for (const id of missing) {
    const { line = 0, excerpt = id } = indexed.get(id) ?? {};
    report(
      line,
      excerpt,
      'missing',
      'the index names a newer record, but its file is missing; download the file',
    );
  }
  await rejects.append(reported);
  counter.addPassedOver(indexed.size - newer.size);
  const times = new Map([...newer].map((id) => [id, indexed.get(id)?.modifiedMs ?? 0]));
  return {
    source: { ...source, files, size: files.length },
    expected: { listed: [...indexed.keys()], newer: times, missing },
  };
}

function idOfFile(name: string): string {
  return basename(name, '.json');
}

/** Records and disputes of one batch, and its rejects. `read` is the part of the source's size that was read so far. */
interface RecordBatch {
  readonly rows: readonly AdvisoryRow[];
  readonly disputes: readonly AdvisoryDispute[];
  readonly rejects: readonly Reject[];
  readonly read: number;
}

async function* readRecords(
  source: OsvSource,
  expected: ExpectedRecords | null,
  readAt: Date | null,
): AsyncGenerator<RecordBatch> {
  const fileTime = (readAt ?? (await stat(source.path)).mtime).toISOString();
  let batch = emptyBatch();
  for await (const text of readOsvTexts(source)) {
    for (const parsed of parseText(text, fileTime)) {
      if (parsed.kind === 'dispute') batch.disputes.push(parsed.dispute);
      else if (parsed.kind === 'rejected') batch.rejects.push(rejectOf(text, parsed));
      else {
        batch.rows.push(parsed.row);
        if (isOutdated(parsed.row, expected)) batch.rejects.push(rejectOf(text, OUTDATED_FILE));
      }
    }
    batch.read = text.read;
    if (sizeOf(batch) < BATCH_RECORDS) continue;
    yield batch;
    batch = emptyBatch();
  }
  if (sizeOf(batch) > 0) yield batch;
}

function emptyBatch() {
  const rows: AdvisoryRow[] = [];
  const disputes: AdvisoryDispute[] = [];
  const rejects: Reject[] = [];
  return { rows, disputes, rejects, read: 0 };
}

function sizeOf({ rows, disputes, rejects }: RecordBatch): number {
  return rows.length + disputes.length + rejects.length;
}

const OUTDATED_FILE: Rejection = {
  code: 'missing',
  reason: 'the file is older than the index says; download the file again',
};

/** Returns true if the file of a record is older than the index says, and adds the record to `missing`. */
function isOutdated({ id, modifiedAt }: AdvisoryRow, expected: ExpectedRecords | null): boolean {
  const time = expected?.newer.get(id);
  if (expected === null || time === undefined || Date.parse(modifiedAt) >= time) return false;
  expected.missing.add(id);
  return true;
}

function parseText({ text, problem }: OsvText, fileTime: string): ParsedAdvisory[] {
  if (text !== null) return parseAdvisories(text, fileTime);
  return [{ kind: 'rejected', code: 'unreadable', reason: problem ?? 'not readable' }];
}

function rejectOf({ file, line, excerpt }: OsvText, { code, reason }: Rejection): Reject {
  return { file, line, code, reason, row: excerpt };
}

async function storeBatch(
  { database, extent, rejects }: AdvisoryImport,
  source: OsvSource,
  batch: RecordBatch,
  counter: AdvisoryCounter,
): Promise<void> {
  const outcomes = await retryConflicts(() =>
    inBatchTransaction(database, async (connection) => {
      await saveDisputes(connection, batch.disputes);
      return saveAdvisories(connection, batch.rows);
    }),
  );
  const isWhole = isWholeDatabase(source, extent);
  for (const [index, row] of batch.rows.entries())
    counter.addRow(row, outcomes[index], isWhole && row.source !== CATALOGUE_SOURCE);
  for (const { reason } of batch.rejects) counter.addReject(reason);
  counter.addDisputes(batch.disputes.length);
  await rejects.append(batch.rejects);
}

/** Name of the archive in which OSV publishes an ecosystem: `all.zip`, or with the ecosystem's name in front. */
const WHOLE_ARCHIVE = /(?:^|[-_.])all\.zip$/i;

/**
 * Returns true if a source counts as a whole database. A single document never does. A folder with an index does not
 * either: `importAdvisories` counts it once every record of the index is stored.
 */
function isWholeDatabase({ path, form, index }: OsvSource, extent: AdvisoryExtent): boolean {
  if (extent === 'none' || form === 'document' || index !== null) return false;
  return extent === 'all' || (form === 'archive' && WHOLE_ARCHIVE.test(basename(path)));
}
