import { CATEGORIES } from '../../catalog/listings/listing-row.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { publicPath } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { lowerAscii } from '../lists/filters.ts';
import { findSuggested, nameKey, type SuggestedSubject } from './listed-names.queries.ts';

/** One line of the suggestions below a search field. */
export interface Suggestion {
  group: 'listing' | 'creator' | 'artifact' | 'category' | 'tag';
  text: string;
  /** Text that distinguishes equal names; null if not needed. */
  about: string | null;
  /** Path of a page or a filtered list. */
  path: string;
}

const MAX_SUGGESTIONS = 8;
const MAX_LISTS = 2;
/** Path of the list page. */
const LIST_PATH = '/agents';

/**
 * Returns at most eight suggestions in all: listings, creators, artifacts, categories and tags that begin with the
 * text; popular ones first.
 */
export async function suggest(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<Suggestion[]> {
  const key = nameKey(text.replace(/^@/, ''));
  if (key === '') return [];
  const found = await findSuggested(connection, { key, tag: lowerAscii(key) }, publicUrls);
  const lists = [
    ...CATEGORIES.filter((each) => each.startsWith(key)).map((each) => listOf('category', each)),
    ...found.flatMap((each) => (each.group === 'tag' ? [listOf('tag', each.text)] : [])),
  ].slice(0, MAX_LISTS);
  const of = (group: SuggestedSubject['group']) =>
    found.flatMap((each) => (each.group === group ? [toSuggestion(each, publicUrls)] : []));
  const others = [...of('creator'), ...of('artifact'), ...lists];
  return [...of('listing').slice(0, MAX_SUGGESTIONS - others.length), ...others];
}

function toSuggestion(subject: SuggestedSubject, publicUrls: PublicUrls): Suggestion {
  const { group, text, about } = subject;
  return { group, text, about, path: publicPath(subject, publicUrls) };
}

function listOf(group: 'category' | 'tag', value: string): Suggestion {
  return { group, text: value, about: null, path: `${LIST_PATH}?${new URLSearchParams({ [group]: value })}` };
}
