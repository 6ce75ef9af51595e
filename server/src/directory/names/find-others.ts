import type { Connection } from '../../database/connect.ts';
import { searchWords } from '../../registry/listings/search-words.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import { findNames, type NamedSubject } from './listed-names.repository.ts';
import type { Named } from './listed-names.sql.ts';
import { nameKey } from './name-key.ts';

/** A creator or artifact that a search finds, with the address of its page. */
export interface FoundName extends NamedSubject {
  path: string;
}

/** What a search finds beside listings. */
export interface Others {
  creators: FoundName[];
  artifacts: FoundName[];
}

/** Of a list that is no search. */
export const NO_OTHERS: Others = { creators: [], artifacts: [] };

const MOST_SHOWN = 4;

/**
 * The few best creators and artifacts for a search: the name itself, then its beginning, then all its words, the popular first.
 * A handle may be written with `@`.
 */
export async function findOthers(connection: Connection, q: string, naming: Naming): Promise<Others> {
  const key = nameKey(q.replace(/^@/, ''));
  const words = wordsQuery(q);
  if (words === null) return NO_OTHERS;
  const find = (of: Named) => findNames(connection, of, { key, words, most: MOST_SHOWN });
  const [creators, artifacts] = [await find('creator'), await find('artifact')];
  const paths = await loadPublicPaths(connection, [...creators, ...artifacts], naming);
  const linked = (found: NamedSubject[]) =>
    found.map((each) => ({ ...each, path: paths.get(each.id) ?? '/' }));
  return { creators: linked(creators), artifacts: linked(artifacts) };
}

/** Every word, each as the beginning of one; null where there is none. Words hold only letters, marks and digits. */
function wordsQuery(q: string): string | null {
  const words = [...new Set(searchWords(q))];
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ');
}
