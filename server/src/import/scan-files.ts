import { isRename } from '../registry/relations/save-relations.ts';
import { contentOf, type FirstLine, FirstLines } from './first-lines.ts';
import { countReject, emptyCounts, type ImportCounts } from './import-counts.ts';
import type { SourceFile } from './import-source.ts';
import { type RowStage, stageOf } from './import-stages.ts';
import { LineStages } from './line-stages.ts';
import { parseRow } from './parse-row.ts';
import { type Line, readLines } from './read-lines.ts';
import type { RejectsFile } from './rejects-file.ts';
import type { ParsedRow, RefusedRow } from './row-kinds.ts';

/** What the first look through a file found. */
export interface ScannedFile extends SourceFile {
  /** Rows to be stored, by stage. */
  readonly rows: Record<RowStage, number>;
  /** Which lines are to be stored, and when; the others are counted already. */
  readonly stages: LineStages;
}

/** What one look through all files tells before anything is stored. */
export interface Scan {
  readonly files: readonly ScannedFile[];
  /** New names by old ones, `owner/name` with the old one in lower case, as relations state them. */
  readonly renames: Map<string, string>;
  /** Lines read, refused and repeated. */
  readonly counts: ImportCounts;
}

/**
 * Reads all files once, in streams: learns their kinds and renames, refuses lines that can't be stored, and settles
 * lines about what an earlier line is about (the same again: unchanged; something else: rejected).
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

function understand(line: Line): ParsedRow | RefusedRow {
  return line.text === null
    ? { kind: null, code: 'unreadable', reason: line.problem ?? 'not readable' }
    : parseRow(line.text);
}

class Scanner {
  readonly renames = new Map<string, string>();
  readonly counts = emptyCounts();
  readonly #rejects: RejectsFile;
  readonly #firstLines = new FirstLines();
  readonly #files: ScannedFile[] = [];

  constructor(rejects: RejectsFile) {
    this.#rejects = rejects;
  }

  /** The lines from now on are of this file. */
  begin(file: ScannedFile): void {
    this.#files.push(file);
  }

  async scan(file: ScannedFile, line: Line): Promise<void> {
    const parsed = understand(line);
    this.counts.kinds[parsed.kind ?? 'unknown'].read += 1;
    if ('reason' in parsed) return this.#refuse(file, line, parsed);
    const earlier = this.#earlierLine(parsed, line);
    if (earlier === null) {
      const stage = stageOf(parsed);
      file.rows[stage] += 1;
      file.stages.set(line.number, stage);
      return this.#noteRename(parsed);
    }
    if (earlier.content === contentOf(line.text)) this.counts.kinds[parsed.kind].unchanged += 1;
    else {
      const place = `${this.#files[earlier.file]?.name}, line ${earlier.line}`;
      const reason = `an earlier line is about the same (${place})`;
      await this.#refuse(file, line, { kind: parsed.kind, code: 'repeated', reason });
    }
  }

  #earlierLine({ keys }: ParsedRow, line: Line): FirstLine | null {
    const earlier = this.#firstLines.find(keys);
    if (earlier) return earlier;
    const file = this.#files.length - 1;
    this.#firstLines.add(keys, { content: contentOf(line.text), file, line: line.number });
    return null;
  }

  #noteRename(parsed: ParsedRow): void {
    if (parsed.kind !== 'relation' || !isRename(parsed.row)) return;
    const oldName = parsed.row.from.repository.toLowerCase();
    if (!this.renames.has(oldName)) this.renames.set(oldName, parsed.row.to.repository);
  }

  async #refuse(file: ScannedFile, line: Line, { kind, code, reason }: RefusedRow): Promise<void> {
    countReject(this.counts, kind, reason);
    await this.#rejects.addDraft({ file: file.name, line: line.number, code, reason, row: line.excerpt });
  }
}
