import type { Arena } from './arena.ts';

/** Counts and measurements by name; names include units. */
export type Figures = Record<string, number | string>;

/**
 * One way of trying to break the ledger. The same code runs with a small amount of work in the test suite, and with a large
 * amount in `npm run torture`.
 */
export interface Experiment {
  /** Number in the list of experiments, such as C1. */
  readonly id: string;
  /** The guarantee, as a sentence. */
  readonly promise: string;
  /** Unit of `amount` in words. */
  readonly unit: string;
  /** Number of units of work in the test suite (a nightly run may do more), and in `npm run torture`. */
  readonly amount: { readonly suite: number; readonly long: number };
  /** Returns the reason why the experiment cannot run on this machine; null if it can. */
  readonly missing?: () => string | null;
  /** Runs the experiment; rejects with BrokenPromise at the first violation. */
  run(arena: Arena, amount: number): Promise<Figures>;
}

/** Thrown if the ledger violated a guarantee. The message says how, with ids. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Fails the experiment unless the condition holds. */
export function mustHold(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new BrokenPromise(otherwise);
}

const SHOWN = 12;

/** Fails the experiment unless the list of problems is empty. */
export function mustBeNone(wrong: readonly string[]): void {
  if (wrong.length === 0) return;
  const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [];
  throw new BrokenPromise([...wrong.slice(0, SHOWN), ...more].join('\n'));
}

/** Returns a percentile of the values, rounded to an integer; `share` is from 0 to 1. Returns 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
