import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { Category } from '../../registry/listings/listing-row.ts';
import type { Asked } from '../list/page-query.ts';

/** How many there are, counted up to a bound. */
export interface Counted {
  count: number;
  /** Whether there are more than were counted. */
  isMore: boolean;
}

/** What a short list says of each entry beside its name. */
export type ShortFact = 'stars' | 'listed' | 'commit' | 'trust';

/** The first entries of a list that has its own page. */
export interface ShortList {
  title: string;
  asked: Asked;
  fact: ShortFact;
  agents: ListedAgent[];
}

/** What home tells of the directory as it is. */
export interface HomePage {
  /** All listings, and those with a verified owner. */
  total: number;
  verified: number;
  /** Those that have listings, the largest first. */
  categories: { category: Category; count: number }[];
  creators: Counted;
  artifacts: Counted;
  /** When a repository was last looked at; null where none was yet. */
  checkedAt: string | null;
  /** When the newest listing came; null where there is none. */
  addedAt: string | null;
  now: string;
  /** One listing of each of up to three states. */
  examples: ListedAgent[];
  lists: ShortList[];
}
