import type { Connection } from '../../database/connect.ts';
import type { AskedSearches } from '../../directory/lists/asked-searches.ts';
import type { Synonyms } from '../../registry/listings/synonyms.ts';
import type { Naming } from '../../subjects/naming.ts';

/** What the public pages are made with. */
export interface PageParts {
  database: Connection;
  naming: Naming;
  /** Told of searches that had to be counted. */
  asked?: AskedSearches | undefined;
  /** What words may be called else. */
  synonyms?: Synonyms | undefined;
}

/** Counted and cached like the public API: a page shows the same records. */
export const PUBLIC = { config: { limit: 'public', public: true } } as const;

/** A page of one subject with its relatives: no other's score changes it. */
export const OF_ONE = { config: { ...PUBLIC.config, unranked: true } } as const;
