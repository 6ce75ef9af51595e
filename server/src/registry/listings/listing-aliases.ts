import type { Connection } from '../../database/connect.ts';
import {
  type ArtifactNames,
  artifactAliases,
  type ListingNames,
  listingAliases,
} from '../../subjects/labels.ts';
import { replaceAliases } from '../../subjects/save-aliases.ts';
import { ARTIFACT_NAMES, ARTIFACTS_INSIDE, LISTING_NAMES, NAMERS_OF } from './listing-aliases.sql.ts';
import type { ListedType } from './listing-row.ts';

/** Former names that listings have newly got, by the listing's id; `owner/name` on the listing's own host. */
export type FormerNames = ReadonlyMap<string, readonly string[]>;

/** Makes every present and former name of the listings lead to them, and nothing else. */
export async function refreshListingAliases(
  connection: Connection,
  ids: readonly string[],
  newlyFormer: FormerNames = new Map(),
): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<ListingNames & { type: ListedType }>(LISTING_NAMES, [ids]);
  const named = listings.map((listing) => ({
    subjectId: listing.id,
    subjectType: listing.type,
    aliases: listingAliases({
      ...listing,
      formerRepositories: [...listing.formerRepositories, ...(newlyFormer.get(listing.id) ?? [])],
    }),
  }));
  await replaceAliases(connection, named);
}

/** The same for artifacts; the former names are those of their repositories, which must be stored already. */
export async function refreshArtifactAliases(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const artifacts = await connection.query<ArtifactNames & { type: ListedType }>(ARTIFACT_NAMES, [ids]);
  const named = artifacts.map((artifact) => ({
    subjectId: artifact.id,
    subjectType: artifact.type,
    aliases: artifactAliases(artifact),
  }));
  await replaceAliases(connection, named);
}

/** Artifacts inside the listings. */
export async function artifactsInside(
  connection: Connection,
  listingIds: readonly string[],
): Promise<string[]> {
  if (listingIds.length === 0) return [];
  const rows = await connection.query<{ id: string }>(ARTIFACTS_INSIDE, [listingIds]);
  return rows.map(({ id }) => id);
}

/** Package names as sources state them. */
export interface PackageNames {
  npm: readonly string[];
  pypi: readonly string[];
}

/** Listings and artifacts that name one of the packages. */
export async function namersOf(
  connection: Connection,
  { npm, pypi }: PackageNames,
): Promise<{ listings: string[]; artifacts: string[] }> {
  if (npm.length === 0 && pypi.length === 0) return { listings: [], artifacts: [] };
  const rows = await connection.query<{ id: string; isListing: boolean }>(NAMERS_OF, [npm, pypi]);
  return {
    listings: rows.filter(({ isListing }) => isListing).map(({ id }) => id),
    artifacts: rows.filter(({ isListing }) => !isListing).map(({ id }) => id),
  };
}
