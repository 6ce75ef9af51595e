import { CATEGORIES } from '../../catalog/listings/listing-row.ts';
import { searchWords } from '../../catalog/listings/search-words.ts';
import { type PublicUrls, publicPath } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { lowerAscii } from '../lists/filters.ts';
import { correctSpelling } from '../search/correct-spelling.ts';
import {
  findCreatorsAndArtifacts,
  findSuggested,
  type NamedSubject,
  type NameGroup,
  nameKey,
} from './listed-names.queries.ts';

/** One line of the suggestions below a search field. */
export interface Suggestion {
  /** `spelling`: a corrected text to search for. */
  group: 'listing' | 'creator' | 'artifact' | 'category' | 'tag' | 'spelling';
  text: string;
  /** Additional text that distinguishes suggestions with equal names; null if not needed. */
  about: string | null;
  /** Path of a page or a filtered list. */
  path: string;
  /** Type of the subject; null for a suggestion that leads to a list. */
  type: SubjectType | null;
  /** Stars and verdict of a listing; null if unknown, and for other groups. */
  stars: number | null;
  verdict: VerdictState | null;
}

const MAX_SUGGESTIONS = 8;
const MAX_LISTS = 2;
/** Path of the list page. */
const LIST_PATH = '/agents';

/**
 * Returns at most eight suggestions in all: listings, creators, artifacts, categories and tags that begin with the
 * text; popular ones first. If nothing begins with it, returns a search for the nearest spelling, and suggestions that
 * begin with that spelling.
 */
export async function suggest(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<Suggestion[]> {
  const key = nameKey(text.replace(/^@/, ''));
  if (key === '') return [];
  const suggestions = await suggestFor(connection, key, publicUrls);
  const corrected = suggestions.length === 0 ? await correctSpelling(connection, key) : null;
  if (corrected === null) return suggestions;
  const near = await suggestFor(connection, nameKey(corrected), publicUrls);
  return near.length === 0 ? [] : [listOf('spelling', corrected), ...near].slice(0, MAX_SUGGESTIONS);
}

async function suggestFor(
  connection: Connection,
  key: string,
  publicUrls: PublicUrls,
): Promise<Suggestion[]> {
  const found = await findSuggested(connection, { key, tag: lowerAscii(key) }, publicUrls);
  const lists = [
    ...CATEGORIES.filter((each) => each.startsWith(key)).map((each) => listOf('category', each)),
    ...found.flatMap((each) => (each.group === 'tag' ? [listOf('tag', each.text)] : [])),
  ].slice(0, MAX_LISTS);
  const of = (group: NameGroup) =>
    found.flatMap((each) => (each.group === group ? [toSuggestion(each, publicUrls)] : []));
  const others = [...of('creator'), ...of('artifact'), ...lists];
  return [...of('listing').slice(0, MAX_SUGGESTIONS - others.length), ...others];
}

function toSuggestion(subject: NamedSubject, publicUrls: PublicUrls): Suggestion {
  const { group, type, text, about, stars, verdict } = subject;
  return { group, text, about, path: publicPath(subject, publicUrls), type, stars, verdict };
}

/** Query parameter of the list page, by group. */
const PARAMETERS = { category: 'category', tag: 'tag', spelling: 'q' } as const;

function listOf(group: keyof typeof PARAMETERS, value: string): Suggestion {
  const path = `${LIST_PATH}?${new URLSearchParams({ [PARAMETERS[group]]: value })}`;
  return { group, text: value, about: null, path, type: null, stars: null, verdict: null };
}

/** A creator or artifact found by a search, with its page's path. */
export type FoundName = Pick<NamedSubject, 'id' | 'type' | 'text' | 'about'> & { path: string };

/** Search results other than listings. */
export interface FoundCreatorsAndArtifacts {
  creators: FoundName[];
  artifacts: FoundName[];
}

/** Empty result, for a list without a search text. */
export const NO_OTHER_RESULTS: FoundCreatorsAndArtifacts = { creators: [], artifacts: [] };

/**
 * Returns at most four creators and four artifacts for a search: exact names first, then prefixes, then names with all
 * words; among these, popular ones first. A handle may start with `@`.
 */
export async function findOtherResults(
  connection: Connection,
  q: string,
  publicUrls: PublicUrls,
): Promise<FoundCreatorsAndArtifacts> {
  const words = wordsQuery(q);
  if (words === null) return NO_OTHER_RESULTS;
  const key = nameKey(q.replace(/^@/, ''));
  const found = await findCreatorsAndArtifacts(connection, { key, words }, publicUrls);
  const of = (group: NameGroup) =>
    found.flatMap((each) => (each.group === group ? [{ ...each, path: publicPath(each, publicUrls) }] : []));
  return { creators: of('creator'), artifacts: of('artifact') };
}

/**
 * Builds a `tsquery` for names that have all words of a text as prefixes. Returns null if the text has no words. Words
 * contain only letters, marks and digits, so they need no escaping.
 */
function wordsQuery(q: string): string | null {
  const words = [...new Set(searchWords(q))];
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ');
}
