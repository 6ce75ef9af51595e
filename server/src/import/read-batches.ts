import { changedSource, refuseChangedSource } from './import-source.ts';
import type { RowStage } from './import-stages.ts';
import { parseAccepted } from './parse-row.ts';
import { type Line, type Place, readLines } from './read-lines.ts';
import type { ParsedRow } from './row-kinds.ts';
import type { ScannedFile } from './scan-files.ts';

/** Rows of one stage from one file, with their lines, and the place where the next batch begins. */
export interface Batch {
  readonly stage: RowStage;
  readonly rows: readonly ParsedRow[];
  readonly lines: readonly Line[];
  readonly next: Place;
}

/** Streams a file's rows of one stage in batches; `size` is asked before each. Of other lines nothing is made. */
export async function* readBatches(
  file: ScannedFile,
  stage: RowStage,
  from: Place,
  size: () => number,
): AsyncGenerator<Batch> {
  await refuseChangedSource(file);
  let rows: ParsedRow[] = [];
  let lines: Line[] = [];
  let wanted = size();
  for await (const line of readLines(file.path, from, (number) => file.stages.has(number, stage))) {
    const parsed = parseAccepted(line.text ?? '');
    if (parsed === null) throw changedSource(file);
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

/** Reads the next item while the one before is worked on. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Told when its turn comes, not while nobody listens.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
