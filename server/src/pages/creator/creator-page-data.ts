import type { Identity } from '../../directory/get-identity.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { ShownGroup } from '../relations/page-relations.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

/** Who made it, with the creator's own score and the accounts proved to be theirs. */
export interface CreatorCard extends PageLink, CreatorAccountsShown {
  handle: string;
  host: string;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  lowerBound: number | null;
  /** Nothing was observed: the figures are those of thousands. */
  restsOnDefaults: boolean;
}

/** What is known of a creator's accounts elsewhere. */
export interface CreatorAccountsShown {
  handle: string;
  proved: ProvedAccount[];
  /** The MCP registry has a namespace that only the repository host's account of this handle gets. */
  hasRegistryNamespace: boolean;
}

/** Whose a listing was until a moment. */
export interface FormerCreator extends PageLink {
  until: string;
}

/** A proof that counts, with the day of its last check. */
export interface ProvedAccount {
  kind: string;
  host: string;
  handle: string;
  checkedAt: string;
}

export interface CreatorPage {
  identity: Identity;
  score: ScoreDetail | null;
  proved: ProvedAccount[];
  /** One page of them; `offset` is how many come before. */
  listings: ListedAgent[];
  offset: number;
  /** What is said of their listings and others. */
  relations: ShownGroup[];
}
