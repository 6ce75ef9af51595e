import type { Observed } from './repository-facts.ts';

/** What stands behind a handle on a platform: a person or organisation, a broadcast channel or group, or a program. */
export type AccountKind = 'account' | 'channel' | 'bot';

/** Whether the account's profile names the creator's repository host account, and that one the profile. */
export type CrossLink = 'both' | 'one' | 'none';

/** All that is known of a social or messaging account. Null is unknown, never zero and never false. */
export interface AccountFacts {
  kind: AccountKind;
  /** Its owner has proved it here, by a proof that counts; absent where nobody has. */
  proved?: Observed<boolean>;
  /** The platform's own mark of a checked identity. */
  verifiedMark: Observed<boolean> | null;
  accountCreatedAt: Observed<string> | null;
  /** Followers, subscribers or members; of a bot its monthly users. */
  audience: Observed<number> | null;
  /** Largest growth of the audience within one day, as a share of what it was before: 0.5 is half as many again. */
  audienceDayGrowth: Observed<number> | null;
  /** Median reactions (social) or views (messaging) of a post, as a share of the audience. */
  engagement: Observed<number> | null;
  lastPostAt: Observed<string> | null;
  /** Of a bot: whether its stated owner is the creator, and the creator names the bot. */
  crossLink: Observed<CrossLink> | null;
  /** The platform itself warns of the account. */
  scamFlag: Observed<boolean> | null;
}
