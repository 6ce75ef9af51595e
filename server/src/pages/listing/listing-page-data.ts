import type { AgentRecord } from '../../directory/agent-record.ts';
import type { LineageEntry } from '../../directory/get-agent-lineage.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { CreatorCard, FormerCreator } from '../creator/creator-page-data.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

import type { ListingFacts } from './listing-page.repository.ts';

export interface Relative {
  link: PageLink;
  entry: LineageEntry;
}

/** An agent or skill with its own listing. */
export interface ListingPage {
  subject: ResolvedSubject;
  record: AgentRecord;
  facts: ListingFacts;
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
