import { searchWords } from '../../catalog/listings/search-words.ts';
import { loadPublicPaths } from '../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { NameGroup } from './listed-names.queries.ts';
import { findNames, type NamedSubject, nameKey } from './listed-names.queries.ts';

/** A creator or artifact found by a search, with its page's path. */
export interface FoundName extends NamedSubject {
  path: string;
}

/** Search results other than listings. */
export interface FoundCreatorsAndArtifacts {
  creators: FoundName[];
  artifacts: FoundName[];
}

/** Result for a list without search. */
export const NO_OTHER_RESULTS: FoundCreatorsAndArtifacts = { creators: [], artifacts: [] };

const MAX_SHOWN = 4;

/**
 * Returns at most four creators and four artifacts for a search: exact names first, then prefixes, then names with all
 * words; among these, popular ones first. A handle may start with `@`.
 */
export async function findOtherResults(
  connection: Connection,
  q: string,
  publicUrls: PublicUrls,
): Promise<FoundCreatorsAndArtifacts> {
  const key = nameKey(q.replace(/^@/, ''));
  const words = wordsQuery(q);
  if (words === null) return NO_OTHER_RESULTS;
  const find = (of: NameGroup) => findNames(connection, of, { key, words, most: MAX_SHOWN });
  const [creators, artifacts] = [await find('creator'), await find('artifact')];
  const paths = await loadPublicPaths(connection, [...creators, ...artifacts], publicUrls);
  const linked = (found: NamedSubject[]) =>
    found.map((each) => ({ ...each, path: paths.get(each.id) ?? '/' }));
  return { creators: linked(creators), artifacts: linked(artifacts) };
}

/** Builds a query for all words as prefixes. Null if there are none. Words contain only letters, marks and digits. */
function wordsQuery(q: string): string | null {
  const words = [...new Set(searchWords(q))];
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ');
}
