/** Where progress is shown: a terminal, or whatever else takes lines. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR_CHARACTERS = 24;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows how far each stage of a long work is: as one moving bar on a terminal, as a line now and then elsewhere. */
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

  /** Begins a stage of so many rows. */
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

  /** Ends the stage; its last state stays as a line. */
  end(): void {
    const seconds = (this.#now() - this.#startedAt) / 1000;
    this.line(`${this.#label}: ${grouped(this.#done)} in ${seconds.toFixed(1)} s`);
  }

  /** A line of its own, above the bar. */
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
    return `${this.#label}: ${grouped(this.#done)} of ${grouped(this.#total)} (${percent} %)`;
  }

  #share(): number {
    return this.#total === 0 ? 1 : Math.min(this.#done / this.#total, 1);
  }
}

/** 12345 → 12,345 */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
