import type { Connection } from '../../database/connect.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import { lowerAscii } from '../../registry/listings/search-marks.ts';
import type { Naming } from '../../subjects/naming.ts';
import { publicPath } from '../../subjects/public-path.ts';
import { nameKey } from './name-key.ts';
import { findSuggested, type SuggestedSubject } from './suggested-names.repository.ts';

/** One line under a search field. */
export interface Suggestion {
  group: 'listing' | 'creator' | 'artifact' | 'category' | 'tag';
  text: string;
  /** What tells it from others of the same name; null where nothing has to. */
  about: string | null;
  /** Where it leads: a page, or a list. */
  path: string;
}

const MOST = 8;
const MOST_LISTS = 2;
/** The page of the list. */
const LIST = '/agents';

/** At most eight listings, creators, artifacts, categories and tags whose name begins with a text, the popular first. */
export async function suggest(connection: Connection, text: string, naming: Naming): Promise<Suggestion[]> {
  const key = nameKey(text.replace(/^@/, ''));
  if (key === '') return [];
  const found = await findSuggested(connection, { key, tag: lowerAscii(key) }, naming);
  const lists = [
    ...CATEGORIES.filter((each) => each.startsWith(key)).map((each) => listOf('category', each)),
    ...found.flatMap((each) => (each.group === 'tag' ? [listOf('tag', each.text)] : [])),
  ].slice(0, MOST_LISTS);
  const of = (group: SuggestedSubject['group']) =>
    found.flatMap((each) => (each.group === group ? [toSuggestion(each, naming)] : []));
  const others = [...of('creator'), ...of('artifact'), ...lists];
  return [...of('listing').slice(0, MOST - others.length), ...others];
}

function toSuggestion(subject: SuggestedSubject, naming: Naming): Suggestion {
  const { group, text, about } = subject;
  return { group, text, about, path: publicPath(subject, naming) };
}

function listOf(group: 'category' | 'tag', value: string): Suggestion {
  return { group, text: value, about: null, path: `${LIST}?${new URLSearchParams({ [group]: value })}` };
}
