import { createHash } from 'node:crypto';
import { isRename } from '../registry/relations/save-relations.ts';
import { countReject, emptyCounts, type ImportCounts } from './import-counts.ts';
import type { SourceFile } from './import-source.ts';
import { type RowStage, stageOf } from './import-stages.ts';
import { parseRow } from './parse-row.ts';
import { type Line, readLines } from './read-lines.ts';
import type { RejectsFile } from './rejects-file.ts';
import type { ParsedRow, RefusedRow } from './row-kinds.ts';

/** What the first look through a file found. */
export interface ScannedFile extends SourceFile {
  /** Rows to be stored, by stage. */
  readonly rows: Record<RowStage, number>;
  /** Lines about what an earlier line is about: they are counted already. */
  readonly settled: Set<number>;
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
    const file = { ...source, rows, settled: new Set<number>() };
    let read = 0;
    for await (const line of readLines(file.path)) {
      await scanner.scan(file, line);
      onRead(line.next.byteOffset - read);
      read = line.next.byteOffset;
    }
    scanned.push(file);
  }
  return { files: scanned, renames: scanner.renames, counts: scanner.counts };
}

/** Understands a line as every later reading will. */
export function understand(line: Line): ParsedRow | RefusedRow {
  return line.text === null
    ? { kind: null, code: 'unreadable', reason: line.problem ?? 'not readable' }
    : parseRow(line.text);
}

interface FirstLine {
  /** 48 bits of the line's hash: enough to tell whether two lines about one thing say the same. */
  content: number;
  place: string;
}

class Scanner {
  readonly renames = new Map<string, string>();
  readonly counts = emptyCounts();
  readonly #rejects: RejectsFile;
  readonly #firstLines = new Map<string, FirstLine>();

  constructor(rejects: RejectsFile) {
    this.#rejects = rejects;
  }

  async scan(file: ScannedFile, line: Line): Promise<void> {
    const parsed = understand(line);
    this.counts.kinds[parsed.kind ?? 'unknown'].read += 1;
    if ('reason' in parsed) return this.#refuse(file, line, parsed);
    const earlier = this.#earlierLine(parsed, file, line);
    if (earlier === null) {
      file.rows[stageOf(parsed)] += 1;
      return this.#noteRename(parsed);
    }
    file.settled.add(line.number);
    if (earlier.content === contentOf(line)) this.counts.kinds[parsed.kind].unchanged += 1;
    else {
      const reason = `an earlier line is about the same (${earlier.place})`;
      await this.#refuse(file, line, { kind: parsed.kind, code: 'repeated', reason });
    }
  }

  #earlierLine({ keys }: ParsedRow, file: ScannedFile, line: Line): FirstLine | null {
    for (const key of keys) {
      const earlier = this.#firstLines.get(key);
      if (earlier) return earlier;
    }
    const first = { content: contentOf(line), place: `${file.name}, line ${line.number}` };
    for (const key of keys) this.#firstLines.set(key, first);
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

function contentOf({ text }: Line): number {
  return createHash('sha1')
    .update(text ?? '')
    .digest()
    .readUIntBE(0, 6);
}
