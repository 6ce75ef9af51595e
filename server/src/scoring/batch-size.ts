const FIRST = 100;
const SMALLEST = 20;
const LARGEST = 1000;
/** A batch locks what it changes until it commits, and nobody may wait longer than 500 ms for it. */
const TARGET_MS = 200;
/** One quick batch says little: at most twice as many rows next time. */
const GROWTH = 2;

/** How many rows the next batch takes, so that it is over in about 200 ms on this machine, whatever it writes. */
export class BatchSize {
  #rows = FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** Learns from a batch of so many rows. */
  learn(rows: number, elapsedMs: number): void {
    const fitting = Math.floor((rows * TARGET_MS) / Math.max(elapsedMs, 1));
    this.#rows = Math.min(Math.max(fitting, SMALLEST), rows * GROWTH, LARGEST);
    this.#rows = Math.max(this.#rows, SMALLEST);
  }
}
