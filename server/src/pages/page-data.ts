import type { AgentRecord } from '../directory/agent-record.ts';
import type { LineageEntry } from '../directory/get-agent-lineage.ts';
import type { Identity } from '../identity/get-identity.ts';
import type { Cap, Contribution, Tier } from '../scoring/scoring-backend.ts';
import type { ResolvedSubject } from '../subjects/resolve-subject.ts';

/** A confirmed score with what it was made of. */
export interface ScoreDetail {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: string;
  /** Who made it: `embedded`, or a backend's host. */
  source: string;
  methodVersion: string | null;
  /** ISO 8601 with microseconds: the same text that the API gives. */
  version: string;
  freshness: string;
  contributions: Contribution[];
  caps: Cap[];
}

/** A link to a page of ours. */
export interface PageLink {
  path: string;
  text: string;
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
  creator: PageLink;
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
  creator: PageLink;
  score: ScoreDetail | null;
}

export interface CreatorPage {
  identity: Identity;
  score: ScoreDetail | null;
  listings: ListedAgent[];
}

/** An entry of a list with the links that it needs. */
export interface ListedAgent {
  record: AgentRecord;
  path: string;
  creator: PageLink;
}
