import type { BackendScore, Contribution } from '../../src/scoring/scoring-backend.ts';

/** Returns the contribution of one signal. Throws if the score has no such signal. */
export function contributionOf(score: BackendScore, signal: string): Contribution {
  const found = score.contributions.find((each) => each.signal === signal);
  if (!found) throw new Error(`no signal ${signal}`);
  return found;
}
