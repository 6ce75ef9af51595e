import type { ImportedRow } from '../listings/listing-row.ts';

/** The two types of account on a platform. */
export const ACCOUNT_TYPES = ['social_account', 'messaging_account'] as const;
/** One of the two. */
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** What an account is; a channel has readers, a bot answers by itself. */
export const ACCOUNT_KINDS = ['account', 'channel', 'bot'] as const;
/** One of the three. */
type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** How an account and a repository host's account link each other: both ways, one way, not at all. */
export const CROSS_LINKS = ['both', 'one', 'none'] as const;
/** One of the three. */
type CrossLink = (typeof CROSS_LINKS)[number];

/** One social or messaging account as a source read it. What the source does not say is null; moments are ISO 8601. */
export interface AccountRow {
  type: AccountType;
  kind: AccountKind;
  /** Its one name, see subjects/platforms.ts. */
  platform: string;
  handle: string;
  name: string | null;
  url: string | null;
  formerHandles: readonly string[];
  /** `handle` or `host:handle` of a creator: whom the source names as its owner. */
  ownerHandle: string | null;
  /** The platform's own id: it stays the same through renames. */
  platformAccountId: string | null;
  accountCreatedAt: string | null;
  verifiedMark: boolean | null;
  audience: number | null;
  /** A ratio: 0.5 is half as many again in one day. */
  audienceDayGrowth: number | null;
  /** A ratio: reactions per post to followers, or views to members. */
  engagement: number | null;
  lastPostAt: string | null;
  crossLink: CrossLink | null;
  scamFlag: boolean | null;
  observedAt: string | null;
  source: string;
  imported: ImportedRow;
}
