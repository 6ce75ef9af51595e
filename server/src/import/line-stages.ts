import { type RowStage, STAGES } from './import-stages.ts';

const FIRST_LINES = 1 << 12;

/** The stage that stores each line of a file, a byte a line: a file is read once for each of its stages. */
export class LineStages {
  // 0 is a line that none stores.
  #places = new Uint8Array(FIRST_LINES);

  /** This line, from 1, is for this stage. */
  set(line: number, stage: RowStage): void {
    if (line >= this.#places.length) {
      const before = this.#places;
      this.#places = new Uint8Array(2 * Math.max(before.length, line));
      this.#places.set(before);
    }
    this.#places[line] = STAGES.indexOf(stage) + 1;
  }

  /** Whether this stage stores the line. */
  has(line: number, stage: RowStage): boolean {
    return this.#places[line] === STAGES.indexOf(stage) + 1;
  }
}
