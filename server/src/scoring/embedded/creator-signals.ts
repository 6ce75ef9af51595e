import type { CreatorFacts } from '../fact-types.ts';
import { readAccountAge, readAccounts } from './identity-readings.ts';
import { METHOD } from './rs-1.0.0.ts';
import { missing, observed, type Reading, type Signal } from './signal.ts';

const WEIGHTS = METHOD.creator;

/** Returns all signals of a creator. There are no caps: flaws of a listing already lower the portfolio. */
export function creatorSignals(facts: CreatorFacts, now: Date): Signal[] {
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

// A listing without confidence is no evidence, since its trust is only the prior.
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
