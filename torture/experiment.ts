import type { Arena } from './arena.ts';

/** What an experiment counted and measured, by name; units stand in the names. */
export type Figures = Record<string, number | string>;

/** One way of trying to break the ledger. The same code runs short in the suite and long in `npm run torture`. */
export interface Experiment {
  /** Its number in the list of experiments, such as C1. */
  readonly id: string;
  /** What must hold, as a sentence. */
  readonly promise: string;
  /** What `amount` counts. */
  readonly unit: string;
  /** How many in the suite, and how many in the long run. */
  readonly amount: { readonly suite: number; readonly long: number };
  /** Why it cannot run on this machine; null where it can. */
  readonly missing?: () => string | null;
  /** Runs it; rejects with BrokenPromise as soon as something does not hold. */
  run(arena: Arena, amount: number): Promise<Figures>;
}

/** The ledger did something that it must never do. The message says what, with the ids to look at. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Ends the experiment unless the condition holds. */
export function mustHold(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new BrokenPromise(otherwise);
}

const SHOWN = 12;

/** Ends the experiment unless the list of what went wrong is empty. */
export function mustBeNone(wrong: readonly string[]): void {
  if (wrong.length === 0) return;
  const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [];
  throw new BrokenPromise([...wrong.slice(0, SHOWN), ...more].join('\n'));
}

/** The smallest figure that `share` of the values do not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
