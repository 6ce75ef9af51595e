import type { AgentRecord } from '../../directory/agent-record.ts';
import type { LineageEntry } from '../../directory/get-agent-lineage.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { CreatorCard, FormerCreator } from '../creator/creator-page-data.ts';
import type { PageRelations } from '../relations/page-relations.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

import type { ListingFacts } from './listing-page.repository.ts';

export interface Relative {
  link: PageLink;
  entry: LineageEntry;
  verdict?: VerdictState | null;
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
  /** Everything else that is said of it and others, and of descent what stands behind the family. */
  relations: PageRelations;
  /** The listing of the same repository under its newest name; null where this is it. */
  newest: (PageLink & { stated: boolean }) | null;
  /** The former name by which the page was asked for. */
  askedAs?: string | undefined;
  artifacts: (PageLink & { description: string })[];
  /** The likest first. */
  similar: ListedAgent[];
}
