import type { Parent, RepositoryFacts } from '../facts/repository-facts.ts';
import { type FramedScore, frameScore } from './frame.ts';
import { exactEquityFlow } from './lineage-equity.ts';
import { repositoryLimits } from './repository-limits.ts';
import { lineageSignal, repositorySignals } from './repository-signals.ts';
import { METHOD } from './rs-1.0.0.ts';
import { notApplicable, observed, type Reading } from './signal.ts';

/** A score with what it would be without the lineage signal. */
export interface ScoreWithOwn {
  own: FramedScore;
  full: FramedScore;
}

/** The score of an agent or skill. Lineage is weighed only where it raises trust: otherwise hiding a parent would pay. */
export function repositoryScore(facts: RepositoryFacts, type: 'agent' | 'skill', now: Date): ScoreWithOwn {
  const signals = repositorySignals(facts, type, now);
  const limits = repositoryLimits(facts, now);
  const frame = (lineage: Reading) => frameScore([...signals, lineageSignal(lineage)], limits, now);
  const inherited = inheritedEquity(facts.parents);
  const own = frame(inherited.status === 'observed' ? NOT_RAISING : inherited);
  if (inherited.status !== 'observed') return { own, full: own };
  const full = frame(inherited);
  return { own, full: full.exactTrust > own.exactTrust ? full : own };
}

const NOT_RAISING = notApplicable("the parent's equity would not raise trust");

/** The most that any one parent hands down. */
function inheritedEquity(parents: readonly Parent[]): Reading {
  if (parents.length === 0) return notApplicable('no parent is known');
  let best = notApplicable('no parent has a confirmed score');
  for (const { score, acknowledged } of parents) {
    if (score === null) continue;
    const value = exactEquityFlow(score, acknowledged) / 100;
    if (best.status === 'observed' && best.value >= value) continue;
    const seen = { observedAt: score.version, source: 'registry' };
    best = observed(seen, value, METHOD.repository.lineage.evidence);
  }
  return best;
}
