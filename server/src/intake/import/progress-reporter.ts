/** Output for progress: a terminal, or any other stream. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR_CHARACTERS = 24;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows the progress of each stage: as a progress bar on a terminal, as a line every few seconds elsewhere. */
export class ProgressReporter {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  #label = '';
  #total = 0;
  #done = 0;
  #startedAt = 0;
  #shownAt = 0;

  constructor(output: ProgressOutput, now: () => number = Date.now) {
    this.#output = output;
    this.#now = now;
  }

  /** Starts a stage. `total` is its number of rows, bytes or files. */
  begin(label: string, total: number): void {
    this.#label = label;
    this.#total = total;
    this.#done = 0;
    this.#startedAt = this.#now();
    this.#shownAt = this.#startedAt;
    if (this.#output.isTTY) this.#draw();
  }

  advance(rows: number): void {
    this.#done += rows;
    const wait = this.#output.isTTY ? REDRAW_MS : LINE_EVERY_MS;
    if (this.#now() - this.#shownAt < wait) return;
    this.#shownAt = this.#now();
    if (this.#output.isTTY) this.#draw();
    else this.line(this.#text());
  }

  /** Ends the stage and prints its final state. */
  end(): void {
    const seconds = (this.#now() - this.#startedAt) / 1000;
    this.line(`${this.#label}: ${formatNumber(this.#done)} in ${seconds.toFixed(1)} s`);
  }

  /** Prints a line above the bar. */
  line(text: string): void {
    this.#output.write(this.#output.isTTY ? `${CLEAR_LINE}${text}\n` : `${text}\n`);
  }

  #draw(): void {
    const filled = Math.round(BAR_CHARACTERS * this.#share());
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
    const line = `${bar} ${this.#text()}`;
    this.#output.write(CLEAR_LINE + [...line].slice(0, (this.#output.columns ?? 80) - 1).join(''));
  }

  #text(): string {
    const percent = Math.floor(100 * this.#share());
    return `${this.#label}: ${formatNumber(this.#done)} of ${formatNumber(this.#total)} (${percent} %)`;
  }

  #share(): number {
    return this.#total === 0 ? 1 : Math.min(this.#done / this.#total, 1);
  }
}

/** Formats a number with thousands separators: 12345 → 12,345. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
