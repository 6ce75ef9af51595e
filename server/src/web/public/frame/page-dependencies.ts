import type { Synonyms } from '../../../catalog/listings/synonyms.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Connection } from '../../../platform/database/connect.ts';

export interface PageDependencies {
  database: Connection;
  publicUrls: PublicUrls;
  /** Synonyms that a search finds in addition to its words. */
  synonyms?: Synonyms | undefined;
  /** False if this server does not read repositories again by itself. */
  isRefreshed?: boolean | undefined;
}

/** Options of public routes. Pages have the rate limit and the caching of the public API, because they show the same data. */
export const PUBLIC_ROUTE = { config: { limit: 'public', public: true } } as const;

/**
 * Options of routes whose pages neither sort nor count by score. The response cache invalidates such a page only if data
 * of a subject on it changes, not with every new score.
 */
export const SUBJECT_ROUTE = { config: { ...PUBLIC_ROUTE.config, unranked: true } } as const;

/** Returns the public URL of this directory, without a trailing slash. */
export function siteOrigin({ site }: PublicUrls): string {
  return site.href.replace(/\/$/, '');
}

/** Returns the absolute URL of a path on this site. */
export function absoluteUrl(path: string, publicUrls: PublicUrls): string {
  return `${siteOrigin(publicUrls)}${path}`;
}
