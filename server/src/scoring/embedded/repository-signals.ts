import type { Parent, RepositoryFacts } from '../fact-types.ts';
import { type ActiveCap, type ComputedScore, computeScore, frameOf } from './compute-score.ts';
import { METHOD, type Method } from './current-method.ts';
import { licenseClass } from './license-class.ts';
import { exactEquityFlow } from './lineage-equity.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';
import { describeRepository, type Repository } from './repository-values.ts';
import { daysSince, notApplicable, observed, type Reading, type Signal } from './signal-reading.ts';
import { signalsOfRs1 } from './signals-rs-1.0.0.ts';
import { hasMalware, isDeprecatedPackage, signalsOfRs2 } from './signals-rs-2.0.0.ts';

/** A full score, and the score of the same facts without the lineage signal. */
export interface ScoreWithOwn {
  own: ComputedScore;
  full: ComputedScore;
}

/** Signals (without lineage) and caps of agents and skills, by the version of the method. */
const PARTS_OF_METHOD: Readonly<Record<Method['version'], MethodParts>> = {
  [RS_1_0_0.version]: { signalsOf: signalsOfRs1, capsOf: repositoryCaps },
  [RS_2_0_0.version]: {
    signalsOf: signalsOfRs2,
    capsOf: (facts, now) => [...repositoryCaps(facts, now), ...packageCaps(facts)],
  },
};

interface MethodParts {
  signalsOf(repository: Repository): Signal[];
  capsOf(facts: RepositoryFacts, now: Date): ActiveCap[];
}

/** Scores an agent or skill. Lineage counts only if it raises trust: otherwise hiding a parent would be rewarded. */
export function repositoryScore(
  facts: RepositoryFacts,
  type: 'agent' | 'skill',
  now: Date,
  method: Method = METHOD,
): ScoreWithOwn {
  const repository = describeRepository(facts, type, now, method.repository);
  const { signalsOf, capsOf } = PARTS_OF_METHOD[method.version];
  const signals = signalsOf(repository);
  const limits = capsOf(facts, now);
  const { weight } = method.repository.lineage;
  const frame = frameOf(method, type);
  const withLineage = (reading: Reading) =>
    computeScore([...signals, { name: 'lineage', weight, reading }], limits, now, frame);
  const inherited = inheritedEquity(facts.parents, method);
  const own = withLineage(inherited.status === 'observed' ? NOT_RAISING : inherited);
  if (inherited.status !== 'observed') return { own, full: own };
  const full = withLineage(inherited);
  return { own, full: full.exactTrust > own.exactTrust ? full : own };
}

const NOT_RAISING = notApplicable("the parent's equity would not raise trust");

/** Returns the reading of the parent that passes on the most equity. */
function inheritedEquity(parents: readonly Parent[], { repository: table }: Method): Reading {
  if (parents.length === 0) return notApplicable('no parent is known');
  let best: Reading = notApplicable('no parent has a confirmed score');
  let most = -1;
  for (const { score, acknowledged } of parents) {
    if (score === null) continue;
    const equity = exactEquityFlow(score, acknowledged);
    if (equity <= most) continue;
    most = equity;
    const seen = { observedAt: score.version, source: 'registry' };
    // From rs-2.0.0 on, the value is the parent's trust, and the certainty is the parent's confidence.
    best =
      'evidencePerWeight' in table
        ? observed(
            seen,
            exactEquityFlow({ ...score, ownConfidence: 100 }, acknowledged) / 100,
            (table.evidencePerWeight * table.lineage.weight * score.ownConfidence) / 100,
          )
        : observed(seen, equity / 100, table.lineage.evidence);
  }
  return best;
}

/** Returns the caps of a repository that are part of all methods. Unknown facts cause no cap. */
function repositoryCaps(facts: RepositoryFacts, now: Date): ActiveCap[] {
  const { archived, deprecated, no_license, young_repository } = RS_1_0_0.caps;
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

/** Returns the caps that rs-2.0.0 adds because of the repository's package. */
function packageCaps(facts: RepositoryFacts): ActiveCap[] {
  const { malware, deprecated } = RS_2_0_0.caps;
  const limits: ActiveCap[] = [];
  if (hasMalware(facts)) limits.push({ cap: 'malware', limit: malware.limit });
  if (facts.deprecated !== true && isDeprecatedPackage(facts)) {
    limits.push({ cap: 'deprecated', limit: deprecated.limit });
  }
  return limits;
}
