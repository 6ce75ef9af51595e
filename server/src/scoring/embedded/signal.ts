import type { Observed } from '../facts/repository-facts.ts';

/** What one signal reads: a value in [0, 1] with its evidence mass, or why there is none. */
export type Reading =
  | { status: 'observed'; value: number; evidence: number; observedAt: string; source: string }
  | { status: 'missing' | 'not_applicable'; reason: string };

/** One row of a subject type's table. */
export interface Signal {
  name: string;
  weight: number;
  reading: Reading;
}

/** A reading of a fact, as old as the fact's observation. */
export function observed(
  { observedAt, source }: Pick<Observed<unknown>, 'observedAt' | 'source'>,
  value: number,
  evidence: number,
): Reading {
  return { status: 'observed', value, evidence, observedAt, source };
}

/** No reading, for want of the fact: neither zero nor one, only less evidence. */
export function missing(reason: string): Reading {
  return { status: 'missing', reason };
}

/** No reading, because the signal says nothing of such a subject: it leaves the table, its weight with it. */
export function notApplicable(reason: string): Reading {
  return { status: 'not_applicable', reason };
}
