import type { Synonyms } from '../../../catalog/listings/synonyms.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Connection } from '../../../platform/database/connect.ts';

export interface PageDependencies {
  database: Connection;
  publicUrls: PublicUrls;
  /** Synonyms for search words. */
  synonyms?: Synonyms | undefined;
  /** False if this server does not refresh facts by itself. */
  isRefreshed?: boolean | undefined;
}

/** Route options: rate limit and caching of the public API, which shows the same records. */
export const PUBLIC_ROUTE = { config: { limit: 'public', public: true } } as const;

/**
 * Route options of pages about one subject and its relatives. New scores of other subjects do not invalidate such a
 * page in the response cache.
 */
export const SUBJECT_ROUTE = { config: { ...PUBLIC_ROUTE.config, unranked: true } } as const;

/** Returns the public origin of the directory, without a trailing slash. */
export function siteOrigin({ site }: PublicUrls): string {
  return site.href.replace(/\/$/, '');
}

/** Returns the absolute URL of a path on this site. */
export function absoluteUrl(path: string, publicUrls: PublicUrls): string {
  return `${siteOrigin(publicUrls)}${path}`;
}
