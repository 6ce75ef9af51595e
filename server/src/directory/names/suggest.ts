import type { Connection } from '../../database/connect.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import { lowerAscii } from '../../registry/listings/search-marks.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import { findNames, findTags, type Named } from './listed-names.repository.ts';
import { nameKey } from './name-key.ts';

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
/** Of each group, where others want room too. */
const ROOM = { listing: 8, creator: 2, artifact: 2, category: 1, tag: 1 } as const;
/** The page of the list. */
const LIST = '/agents';

/** At most eight listings, creators, artifacts, categories and tags whose name begins with a text, the popular first. */
export async function suggest(connection: Connection, text: string, naming: Naming): Promise<Suggestion[]> {
  const key = nameKey(text.replace(/^@/, ''));
  if (key === '') return [];
  const find = (of: Named) => findNames(connection, of, { key, words: null, most: ROOM[of] });
  const [listings, creators, artifacts] = [
    await find('listing'),
    await find('creator'),
    await find('artifact'),
  ];
  const tags = await findTags(connection, lowerAscii(key), ROOM.tag);
  const lists = [
    ...CATEGORIES.filter((each) => each.startsWith(key)).map((each) => listOf('category', each)),
    ...tags.map((each) => listOf('tag', each)),
  ].slice(0, 2);
  const free = MOST - creators.length - artifacts.length - lists.length;
  const shown = [...listings.slice(0, free), ...creators, ...artifacts];
  const paths = await loadPublicPaths(connection, shown, naming);
  const groups = new Map([
    ...creators.map(({ id }) => [id, 'creator'] as const),
    ...artifacts.map(({ id }) => [id, 'artifact'] as const),
  ]);
  const named = shown.map(({ id, name, about }) => ({
    group: groups.get(id) ?? ('listing' as const),
    text: name,
    about,
    path: paths.get(id) ?? LIST,
  }));
  return [...named, ...lists];
}

function listOf(group: 'category' | 'tag', value: string): Suggestion {
  return { group, text: value, about: null, path: `${LIST}?${new URLSearchParams({ [group]: value })}` };
}
