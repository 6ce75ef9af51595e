import type { CreatorAccounts, CreatorFacts, Observed } from '../fact-types.ts';
import { type ComputedScore, computeScore } from './compute-score.ts';
import { METHOD, type Method } from './current-method.ts';
import { daysSince, growth, missing, observed, type Reading, type Signal } from './signal-reading.ts';

const WEIGHTS = METHOD.creator;

/**
 * Scores a creator. From rs-2.0.0 on, the signal `verified_accounts` never lowers trust, because otherwise a creator
 * would gain by hiding accounts. If it would lower trust, its value is raised until trust is the same as without the
 * signal. Creators have no caps, because flaws of a listing already lower the portfolio.
 */
export function creatorScore(facts: CreatorFacts, now: Date, { creator }: Method): ComputedScore {
  const signals = creatorSignals(facts, now);
  const score = computeScore(signals, [], now);
  if (!('neverLowers' in creator.verified_accounts)) return score;
  const trustWith = (value: number | null) => computeScore(withAccounts(signals, value), [], now).exactTrust;
  const least = trustWith(null);
  if (score.exactTrust >= least) return score;
  // Trust is a linear function of the signal's value, so two points determine the value that gives `least`.
  const [none, full] = [trustWith(0), trustWith(1)];
  return computeScore(withAccounts(signals, Math.min(1, (least - none) / (full - none))), [], now);
}

/** Replaces the value of the signal `verified_accounts`; null leaves this signal out. */
function withAccounts(signals: readonly Signal[], value: number | null): Signal[] {
  return signals.flatMap((each) => {
    if (each.name !== 'verified_accounts') return [each];
    if (value === null || each.reading.status !== 'observed') return [];
    return [{ ...each, reading: { ...each.reading, value } }];
  });
}

function creatorSignals(facts: CreatorFacts, now: Date): Signal[] {
  return [
    signal('verified_accounts', readAccounts(facts.accounts, WEIGHTS.verified_accounts)),
    signal('account_age', readAccountAge(facts.accountCreatedAt, WEIGHTS.account_age, now)),
    signal('portfolio', portfolio(facts)),
    signal('graph_equity', graphEquity(facts)),
  ];
}

function signal(name: keyof typeof WEIGHTS, reading: Reading): Signal {
  return { name, weight: WEIGHTS[name].weight, reading };
}

// Listings with confidence 0 add nothing, because their trust is only the prior.
function portfolio({ portfolio: fact }: CreatorFacts): Reading {
  if (fact === null || fact.confidence <= 0) return missing('no listing of theirs has a confirmed score');
  const { mostEvidence, unseen } = WEIGHTS.portfolio;
  const value = (unseen * METHOD.prior.mean + fact.weightedTrust) / (unseen + fact.confidence);
  const { observedAt } = fact;
  return observed({ observedAt, source: 'registry' }, value, Math.min(mostEvidence, fact.confidence));
}

function graphEquity({ graphEquity: fact }: CreatorFacts): Reading {
  if (fact === null) return missing('nothing links them to other creators');
  return observed(fact, fact.value, WEIGHTS.graph_equity.evidence);
}

/**
 * Amount of evidence from the account check: `base`, plus `share` times the weighted share of known accounts (0 to 1).
 */
interface AccountsRule {
  evidence: { base: number; share: number };
}

/** Parameters of an age signal; half-lives and ages are in days. */
interface AgeRule {
  evidence: { mass: number; halfLife: number };
  halfLife: number;
  young: { underDays: number; factor: number };
}

/** Creates a reading from the known accounts of a creator, for the creator's score. */
function readAccounts(fact: Observed<CreatorAccounts> | null, { evidence }: AccountsRule): Reading {
  if (fact === null) return missing("the creator's accounts have not been checked");
  const share = provedShare(fact.value);
  return observed(fact, share, evidence.base + evidence.share * share);
}

/**
 * Creates a reading from the age of a creator's account, for the creator's score. Young accounts count less, because
 * they are cheap to create.
 */
function readAccountAge(fact: Observed<string> | null, rule: AgeRule, now: Date): Reading {
  if (fact === null) return missing("the age of the creator's account is not known");
  const days = daysSince(fact.value, now);
  const { evidence } = rule;
  return observed(fact, accountAgeValue(days, rule), evidence.mass * growth(days, evidence.halfLife));
}

/** Computes the value of an account's age in days, 0 to 1. */
export function accountAgeValue(days: number, { halfLife, young }: Omit<AgeRule, 'evidence'>): number {
  return growth(days, halfLife) * (days < young.underDays ? young.factor : 1);
}

/** Computes the weighted share of the kinds of account that are known, 0 to 1. */
export function provedShare(proved: CreatorAccounts): number {
  const { repoHost, nodePackages, pythonPackages, professionalNetwork } = METHOD.provedAccounts;
  return (
    (proved.repoHost ? repoHost : 0) +
    (proved.nodePackages ? nodePackages : 0) +
    (proved.pythonPackages ? pythonPackages : 0) +
    (proved.professionalNetwork ? professionalNetwork : 0)
  );
}
