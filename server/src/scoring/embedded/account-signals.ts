import type { AccountFacts } from '../fact-types.ts';
import { METHOD } from './current-method.ts';
import {
  daysSince,
  decay,
  growth,
  missing,
  notApplicable,
  observed,
  type Reading,
  type Signal,
  saturation,
} from './signal-reading.ts';

const WEIGHTS = METHOD.account;

type AccountType = 'social_account' | 'messaging_account';

/** Facts of an account, with values that several signals use. */
interface Account {
  facts: AccountFacts;
  type: AccountType;
  now: Date;
  /** The method's value H: credibility of the counts that the profile itself shows, from 0 to 1. */
  history: number;
}

/** Returns all signals of a social or messaging account. The two types differ in the expected engagement. */
export function accountSignals(facts: AccountFacts, type: AccountType, now: Date): Signal[] {
  const account: Account = { facts, type, now, history: historyOf(facts, now) };
  return [
    signal('verified_mark', verifiedMark(facts)),
    signal('account_age', accountAge(account)),
    signal('audience', audience(account)),
    signal('engagement', engagement(account)),
    signal('recency', recency(account)),
    signal('cross_link', crossLink(facts)),
  ];
}

function signal(name: Exclude<keyof typeof WEIGHTS, 'history'>, reading: Reading): Signal {
  return { name, weight: WEIGHTS[name].weight, reading };
}

function historyOf({ accountCreatedAt }: AccountFacts, now: Date): number {
  const { halfLife, unknownAge } = WEIGHTS.history;
  return accountCreatedAt === null ? unknownAge : growth(daysSince(accountCreatedAt.value, now), halfLife);
}

function verifiedMark({ verifiedMark: fact }: AccountFacts): Reading {
  if (fact === null) return missing('not known whether the platform has verified the account');
  const { evidence } = WEIGHTS.verified_mark;
  return fact.value ? observed(fact, 1, evidence.marked) : observed(fact, 0, evidence.unmarked);
}

function accountAge({ facts, now, history }: Account): Reading {
  const fact = facts.accountCreatedAt;
  if (fact === null) return missing('the age of the account is not known');
  const { evidence, halfLife, steps } = WEIGHTS.account_age;
  const days = daysSince(fact.value, now);
  const factor = steps.find(({ underDays }) => days < underDays)?.factor ?? 1;
  return observed(fact, growth(days, halfLife) * factor, evidence * history);
}

function audience({ facts, history }: Account): Reading {
  if (facts.audience === null) return missing('the size of the audience is not known');
  const { evidence, saturation: full } = WEIGHTS.audience;
  const value = saturation(facts.audience.value, full);
  return observed(facts.audience, value, evidence * value * history);
}

// A bot replies to messages and has no posts to react to.
function engagement({ facts, type, history }: Account): Reading {
  if (facts.kind === 'bot') return notApplicable('a bot has no posts to react to');
  if (facts.engagement === null) return missing('the reactions or views of its posts are not known');
  const { evidence, target } = WEIGHTS.engagement;
  return observed(facts.engagement, Math.min(1, facts.engagement.value / target[type]), evidence * history);
}

function recency({ facts, now, history }: Account): Reading {
  const fact = facts.lastPostAt;
  if (fact === null) return missing('the last post is not known');
  const { evidence, halfLife } = WEIGHTS.recency;
  return observed(fact, decay(daysSince(fact.value, now), halfLife), evidence * history);
}

function crossLink({ crossLink: fact }: AccountFacts): Reading {
  if (fact === null) return missing('the links between profile and repository host have not been checked');
  const { evidence, value } = WEIGHTS.cross_link;
  const proved = value[fact.value];
  return observed(fact, proved, evidence.base + evidence.share * proved);
}
