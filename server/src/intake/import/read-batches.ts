import type { RowStage } from './import-progress.queries.ts';
import { parseAccepted } from './parse-row.ts';
import { type FilePosition, type Line, readLines } from './read-lines.ts';
import type { ScannedFile } from './scan-files.ts';
import { requireUnchangedSource, sourceChangedError } from './source-files.ts';
import type { ParsedRow } from './validate-row.ts';

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
