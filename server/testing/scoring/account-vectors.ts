import type { AccountFacts, AccountKind, CrossLink } from '../../src/scoring/fact-types.ts';
import { daysAgo, observation } from './golden-vectors.ts';

/** Creates facts of an account; those not given are unknown. */
export function accountFacts(kind: AccountKind, known: Partial<AccountFacts> = {}): AccountFacts {
  return {
    kind,
    verifiedMark: null,
    accountCreatedAt: null,
    audience: null,
    audienceDayGrowth: null,
    engagement: null,
    lastPostAt: null,
    crossLink: null,
    scamFlag: null,
    ...known,
  };
}

interface AccountColumns {
  verified?: boolean;
  age: number;
  audience: number;
  /** Reactions or views per post, relative to the audience. */
  engagement: number;
  lastPost: number;
  crossLink: CrossLink;
}

function account(kind: AccountKind, columns: AccountColumns, further: Partial<AccountFacts> = {}) {
  return accountFacts(kind, {
    verifiedMark: observation(columns.verified ?? false),
    accountCreatedAt: observation(daysAgo(columns.age)),
    audience: observation(columns.audience),
    engagement: observation(columns.engagement),
    lastPostAt: observation(daysAgo(columns.lastPost)),
    crossLink: observation(columns.crossLink),
    ...further,
  });
}

/** Published score of an account; `raw` only if a cap lowered the trust. */
export interface AccountVector {
  name: string;
  type: 'social_account' | 'messaging_account';
  facts: AccountFacts;
  trust: number;
  raw?: number;
  confidence: number;
}

const verifiedColumns: AccountColumns = {
  verified: true,
  age: 3000,
  audience: 20_000,
  engagement: 0.015,
  lastPost: 3,
  crossLink: 'both',
};

/** Published vectors of a social and a messaging account. */
export const ACCOUNT_VECTORS: readonly AccountVector[] = [
  {
    name: 'social, verified',
    type: 'social_account',
    facts: account('account', verifiedColumns),
    ...{ trust: 80.4, confidence: 77.9 },
  },
  {
    name: 'social, new',
    type: 'social_account',
    facts: account('account', {
      age: 40,
      audience: 9_000,
      engagement: 0.001,
      lastPost: 1,
      crossLink: 'none',
    }),
    ...{ trust: 28.3, confidence: 41.0 },
  },
  {
    name: 'channel',
    type: 'messaging_account',
    facts: account('channel', {
      age: 1200,
      audience: 86_261,
      engagement: 1_000 / 86_261,
      lastPost: 1,
      crossLink: 'one',
    }),
    ...{ trust: 44.3, confidence: 74.2 },
  },
  {
    name: 'channel that gained 48,335 subscribers in a day',
    type: 'messaging_account',
    facts: account(
      'channel',
      { age: 500, audience: 76_786, engagement: 1_500 / 76_786, lastPost: 1, crossLink: 'none' },
      { audienceDayGrowth: observation(48_335 / (76_786 - 48_335)) },
    ),
    ...{ trust: 31.6, confidence: 69.4 },
  },
  {
    name: 'social, verified, with a scam flag',
    type: 'social_account',
    facts: account('account', verifiedColumns, { scamFlag: observation(true) }),
    ...{ trust: 10.0, raw: 80.4, confidence: 77.9 },
  },
];
