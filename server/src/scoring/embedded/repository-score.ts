import type { Parent, RepositoryFacts } from '../fact-types.ts';
import type { ActiveCap } from './compute-score.ts';
import { type ComputedScore, computeScore } from './compute-score.ts';
import { licenseClass } from './license-class.ts';
import { exactEquityFlow } from './lineage-equity.ts';
import { lineageSignal, repositorySignals } from './repository-signals.ts';
import { METHOD } from './rs-1.0.0.ts';
import { daysSince, notApplicable, observed, type Reading } from './signal.ts';

/** A score with the score without the lineage signal. */
export interface ScoreWithOwn {
  own: ComputedScore;
  full: ComputedScore;
}

/** Scores an agent or skill. Lineage counts only if it raises trust; otherwise hiding a parent would pay. */
export function repositoryScore(facts: RepositoryFacts, type: 'agent' | 'skill', now: Date): ScoreWithOwn {
  const signals = repositorySignals(facts, type, now);
  const limits = repositoryCaps(facts, now);
  const frame = (lineage: Reading) => computeScore([...signals, lineageSignal(lineage)], limits, now);
  const inherited = inheritedEquity(facts.parents);
  const own = frame(inherited.status === 'observed' ? NOT_RAISING : inherited);
  if (inherited.status !== 'observed') return { own, full: own };
  const full = frame(inherited);
  return { own, full: full.exactTrust > own.exactTrust ? full : own };
}

const NOT_RAISING = notApplicable("the parent's equity would not raise trust");

/** Returns the highest equity among the parents. */
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

/** Returns the caps in force for a repository. Unknown facts impose no cap. */
function repositoryCaps(facts: RepositoryFacts, now: Date): ActiveCap[] {
  const { archived, deprecated, no_license, young_repository } = METHOD.caps;
  const limits: ActiveCap[] = [];
  if (facts.archived === true) limits.push({ cap: 'archived', limit: archived.limit });
  if (facts.deprecated === true) limits.push({ cap: 'deprecated', limit: deprecated.limit });
  if (facts.license !== null && licenseClass(facts.license.value) === 'none') {
    limits.push({ cap: 'no_license', limit: no_license.limit });
  }
  const createdAt = facts.repositoryCreatedAt;
  if (createdAt !== null && daysSince(createdAt, now) < young_repository.underDays) {
    limits.push({ cap: 'young_repository', limit: young_repository.limit });
  }
  return limits;
}
