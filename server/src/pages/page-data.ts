import type { AgentRecord } from '../directory/agent-record.ts';
import type { LineageEntry } from '../directory/get-agent-lineage.ts';
import type { Identity } from '../directory/get-identity.ts';
import type { ResolvedSubject } from '../subjects/resolve-subject.ts';
import type { ScoreDetail } from './score/score-detail.ts';

/** A link to a page of ours. */
export interface PageLink {
  path: string;
  text: string;
}

/** Who made it, with the creator's own score and the accounts proved to be theirs. */
export interface CreatorCard extends PageLink {
  handle: string;
  host: string;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  lowerBound: number | null;
  proved: ProvedAccount[];
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

export interface Relative {
  link: PageLink;
  entry: LineageEntry;
}

/** An agent or skill with its own listing. */
export interface ListingPage {
  kind: 'listing';
  subject: ResolvedSubject;
  record: AgentRecord;
  homepage: string | null;
  license: string | null;
  creator: CreatorCard;
  /** Latest first. */
  formerCreators: FormerCreator[];
  score: ScoreDetail | null;
  /** The edge to the parent is the listing's own. */
  own: LineageEntry;
  ancestors: Relative[];
  descendants: Relative[];
  /** Descendants that exist beyond those shown. */
  moreDescendants: boolean;
  artifacts: (PageLink & { description: string })[];
}

/** An agent or skill inside a listed repository. */
export interface ArtifactPage {
  kind: 'artifact';
  subject: ResolvedSubject;
  description: string;
  path: string | null;
  /** The listing that holds it. */
  home: PageLink;
  repositoryUrl: string;
  creator: CreatorCard;
  score: ScoreDetail | null;
}

export interface CreatorPage {
  identity: Identity;
  score: ScoreDetail | null;
  proved: ProvedAccount[];
  /** One page of them; `offset` is how many come before. */
  listings: ListedAgent[];
  offset: number;
}

/** An entry of a list with the links that it needs. */
export interface ListedAgent {
  record: AgentRecord;
  path: string;
  creator: PageLink;
  /** Of the confirmed score; null without one. */
  lowerBound: number | null;
}
