import type { PageLink } from '../../subjects/page-link.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

/** What a platform shows of an account, as a source read it; null is not known. Moments are ISO 8601, ratios parts of 1. */
export interface AccountFactsShown {
  kind: 'account' | 'channel' | 'bot';
  platform: string;
  handle: string;
  url: string | null;
  formerHandles: string[];
  ownerHandle: string | null;
  createdAt: string | null;
  verifiedMark: boolean | null;
  audience: number | null;
  audienceDayGrowth: number | null;
  engagement: number | null;
  lastPostAt: string | null;
  crossLink: 'both' | 'one' | 'none' | null;
  scamFlag: boolean | null;
  observedAt: string | null;
  source: string;
}

/** A social or messaging account. */
export interface AccountPage {
  subject: ResolvedSubject;
  facts: AccountFactsShown;
  /** The creator whom a source names as its owner, where that creator is known here. */
  owner: PageLink | null;
  score: ScoreDetail | null;
}
