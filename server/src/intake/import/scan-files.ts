import { isRename } from '../../catalog/relations/save-relations.ts';
import { contentHash, type FirstLine, FirstLineIndex } from './first-line-index.ts';
import { IMPORT_STAGES, type RowStage, stageOf } from './import-progress.queries.ts';
import { countReject, emptyCounts, type ImportCounts } from './import-summary.ts';
import { parseAccepted, parseRow } from './parse-row.ts';
import { type FilePosition, type Line, readLines } from './read-lines.ts';
import type { RejectsFile } from './rejects-file.ts';
import { requireUnchangedSource, type SourceFile, sourceChangedError } from './source-files.ts';
import type { ParsedRow, RejectedRow } from './validate-row.ts';

const FIRST_LINES = 1 << 12;

/** Stores which stage imports each line of a file, in one byte per line, because a file is read once per stage. */
export class LineStages {
  // 0 marks a line that no stage imports.
  #stages = new Uint8Array(FIRST_LINES);

  /** Assigns a line (from 1) to a stage. */
  set(line: number, stage: RowStage): void {
    if (line >= this.#stages.length) {
      const before = this.#stages;
      this.#stages = new Uint8Array(2 * Math.max(before.length, line));
      this.#stages.set(before);
    }
    this.#stages[line] = IMPORT_STAGES.indexOf(stage) + 1;
  }

  has(line: number, stage: RowStage): boolean {
    return this.#stages[line] === IMPORT_STAGES.indexOf(stage) + 1;
  }
}

/** Result of scanning a file. */
export interface ScannedFile extends SourceFile {
  /** Number of rows that each stage stores. */
  readonly rows: Record<RowStage, number>;
  /** Lines to store, with their stage. All other lines are already counted as rejected or unchanged. */
  readonly stages: LineStages;
}

/** Result of scanning all files, before anything is stored. */
export interface Scan {
  readonly files: readonly ScannedFile[];
  /** Renames that relation rows state: from the old name (`owner/name` in lower case) to the new name. */
  readonly renames: Map<string, string>;
  /** Counts of all lines: read, rejected and repeated. */
  readonly counts: ImportCounts;
}

/**
 * Streams all files once. Determines the stage of each line, collects renames, and rejects lines that cannot be stored.
 * Of several lines about the same subject, the first one counts: a later identical line counts as unchanged, and a
 * different one is rejected.
 */
export async function scanFiles(
  files: readonly SourceFile[],
  rejects: RejectsFile,
  onRead: (bytes: number) => void = () => undefined,
): Promise<Scan> {
  const scanner = new Scanner(rejects);
  const scanned: ScannedFile[] = [];
  for (const source of files) {
    const rows = {
      server: 0,
      packument: 0,
      project: 0,
      scorecard: 0,
      agent_card: 0,
      skills_index: 0,
      repository_id: 0,
      listing: 0,
      creator: 0,
      account_id: 0,
      account: 0,
      artifact: 0,
      relation: 0,
    };
    const file = { ...source, rows, stages: new LineStages() };
    let read = 0;
    scanner.begin(file);
    for await (const line of readLines(file.path)) {
      await scanner.scan(file, line);
      onRead(line.next.byteOffset - read);
      read = line.next.byteOffset;
    }
    scanned.push(file);
  }
  return { files: scanned, renames: scanner.renames, counts: scanner.counts };
}

function parseLine(line: Line): ParsedRow | RejectedRow {
  return line.text === null
    ? { kind: null, code: 'unreadable', reason: line.problem ?? 'not readable' }
    : parseRow(line.text);
}

class Scanner {
  readonly renames = new Map<string, string>();
  readonly counts = emptyCounts();
  readonly #rejects: RejectsFile;
  readonly #firstLines = new FirstLineIndex();
  readonly #files: ScannedFile[] = [];

  constructor(rejects: RejectsFile) {
    this.#rejects = rejects;
  }

  /** Starts the next file; further lines belong to it. */
  begin(file: ScannedFile): void {
    this.#files.push(file);
  }

  async scan(file: ScannedFile, line: Line): Promise<void> {
    const parsed = parseLine(line);
    this.counts.kinds[parsed.kind ?? 'unknown'].read += 1;
    if ('reason' in parsed) return this.#refuse(file, line, parsed);
    const earlier = this.#earlierLine(parsed, line);
    if (earlier === null) {
      const stage = stageOf(parsed);
      file.rows[stage] += 1;
      file.stages.set(line.number, stage);
      return this.#noteRename(parsed);
    }
    if (earlier.content === contentHash(line.text)) this.counts.kinds[parsed.kind].unchanged += 1;
    else {
      const position = `${this.#files[earlier.file]?.name}, line ${earlier.line}`;
      const reason = `an earlier line is about the same (${position})`;
      await this.#refuse(file, line, { kind: parsed.kind, code: 'repeated', reason });
    }
  }

  #earlierLine({ keys }: ParsedRow, line: Line): FirstLine | null {
    const earlier = this.#firstLines.find(keys);
    if (earlier) return earlier;
    const file = this.#files.length - 1;
    this.#firstLines.add(keys, { content: contentHash(line.text), file, line: line.number });
    return null;
  }

  #noteRename(parsed: ParsedRow): void {
    if (parsed.kind !== 'relation' || !isRename(parsed.row)) return;
    const oldName = parsed.row.from.repository.toLowerCase();
    if (!this.renames.has(oldName)) this.renames.set(oldName, parsed.row.to.repository);
  }

  async #refuse(file: ScannedFile, line: Line, { kind, code, reason }: RejectedRow): Promise<void> {
    countReject(this.counts, kind, reason);
    await this.#rejects.addDraft({ file: file.name, line: line.number, code, reason, row: line.excerpt });
  }
}

/** Rows of one stage from one file, with their lines, and the position of the next batch. */
export interface Batch {
  readonly stage: RowStage;
  readonly rows: readonly ParsedRow[];
  readonly lines: readonly Line[];
  readonly next: FilePosition;
}

/**
 * Streams a file's rows of one stage in batches, without parsing lines of other stages. Calls `size` before each batch
 * for its number of rows.
 */
export async function* readBatches(
  file: ScannedFile,
  stage: RowStage,
  from: FilePosition,
  size: () => number,
): AsyncGenerator<Batch> {
  await requireUnchangedSource(file);
  let rows: ParsedRow[] = [];
  let lines: Line[] = [];
  let wanted = size();
  for await (const line of readLines(file.path, from, (number) => file.stages.has(number, stage))) {
    const parsed = parseAccepted(line.text ?? '');
    if (parsed === null) throw sourceChangedError(file);
    rows.push(parsed);
    lines.push(line);
    if (rows.length < wanted) continue;
    yield { stage, rows, lines, next: line.next };
    rows = [];
    lines = [];
    wanted = size();
  }
  const last = lines.at(-1);
  if (last) yield { stage, rows, lines, next: last.next };
}

/** Reads the next item while the previous one is processed. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Prevents an unhandled rejection; the next `await` reports the error.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
