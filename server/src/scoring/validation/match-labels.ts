import type { MeasuredListing } from './measured-listings.queries.ts';
import type { Label } from './parse-label.ts';

/** Host of a repository that is named only by `owner/name`. */
const DEFAULT_HOST = 'github.com';

/** Finds the listings that a label is about. */
export type LabelMatcher = (label: Label) => MeasuredListing[];

/**
 * Creates a matcher of labels. It matches exactly, without regard to case as on the hosts: the listings that the label
 * names, the repository, or the package. A package that several listings name identifies none of them.
 */
export function createLabelMatcher(listings: readonly MeasuredListing[]): LabelMatcher {
  const byRepository = new Map(
    listings.map((listing) => [repositoryKey(listing.host, listing.repository), listing]),
  );
  const packages = {
    npm: uniqueBy(listings, ({ npmPackage }) => npmPackage),
    pypi: uniqueBy(listings, ({ pypiPackage }) => pypiPackage?.toLowerCase() ?? null),
  };
  const findRepository = (name: string) => byRepository.get(repositoryKey(DEFAULT_HOST, name));
  const findSubject = ({ form, name }: Label): MeasuredListing | undefined => {
    switch (form) {
      case 'npm':
        return packages.npm.get(name);
      case 'pypi':
        return packages.pypi.get(name.toLowerCase());
      case 'repo':
        return findRepository(name);
      case 'skill':
        return undefined;
    }
  };
  return (label) => {
    const found = [...label.listings.map(findRepository), findSubject(label)];
    return [...new Set(found.filter((listing) => listing !== undefined))];
  };
}

function repositoryKey(host: string, repository: string): string {
  return `${host}/${repository}`.toLowerCase();
}

/** Maps each key that exactly one listing has to this listing. */
function uniqueBy(
  listings: readonly MeasuredListing[],
  keyOf: (listing: MeasuredListing) => string | null,
): Map<string, MeasuredListing> {
  const found = new Map<string, MeasuredListing | null>();
  for (const listing of listings) {
    const key = keyOf(listing);
    if (key !== null) found.set(key, found.has(key) ? null : listing);
  }
  return new Map([...found].flatMap(([key, listing]) => (listing === null ? [] : [[key, listing] as const])));
}
