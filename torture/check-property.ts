import fc from 'fast-check';
import { BrokenPromise } from './experiment.ts';

const SHRINK_MS = 30_000;
const SHOWN = 200;
const SHOWN_OF_COUNTEREXAMPLE = 3_000;

/** Checks a property `numRuns` times; rejects with the smallest counterexample that shrinking finds in 30 s. */
export async function check<Input>(
  property: fc.IAsyncPropertyWithHooks<Input>,
  numRuns: number,
  seed: number,
): Promise<void> {
  const first = await fc.check(property, { numRuns, seed, endOnFailure: true });
  if (!first.failed) return;
  const path = first.counterexamplePath ?? '';
  const shrunk = await fc.check(property, {
    numRuns: 1,
    seed,
    path,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  const worst = shrunk.failed ? shrunk : first;
  const told = fc.defaultReportMessage(worst) ?? '';
  const short = told.split('\n').map((line) => {
    // Shorten a counterexample that is a schedule, because it quotes whole statements. Show a sequence of commands in full.
    const limit = !line.includes('scheduler') ? SHOWN_OF_COUNTEREXAMPLE : SHOWN;
    return line.length > limit ? `${line.slice(0, limit)}…` : line;
  });
  const reason = (worst.errorInstance as Error | null)?.message;
  throw new BrokenPromise([reason, ...short, `First failure: seed ${seed}, path ${path}`].join('\n'));
}
