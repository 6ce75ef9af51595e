import type { Connection } from '../../database/connect.ts';
import type { AskedSearches } from './asked-searches.ts';
import { type Choice, type Counts, countChosen } from './count-by-filter.ts';
import { readCommonTags, readKeptCounts, readTags } from './count-tags.repository.ts';
import { shownValues, type ValueCount } from './count-values.ts';
import { pageQuery, type Query } from './list-query.ts';

/** Up to so many entries are looked at one by one: a few milliseconds. */
const MOST_LOOKED_AT = 1_000;
/** Of the directory's commonest tags, those that are offered where more entries are left. */
const CANDIDATES = 16;

export interface TagsInput extends Choice {
  q: Query;
  tag: string | null;
}

/**
 * The commonest tags of what a search and the filters beside the tag leave, most first, each with how many entries it leaves;
 * the chosen one among them. `counts` are those of the search without a tag. Where many entries are left, tags come from kept
 * totals alone: one that is not kept yet is not offered, and \`asked\` is told to keep it.
 */
export async function countTags(
  connection: Connection,
  { tag, ...input }: TagsInput,
  counts: Counts,
  most: number,
  asked?: AskedSearches,
): Promise<ValueCount[]> {
  const left = countChosen(counts.found, input);
  if (left === 0) return shownValues([], tag, most);
  if (left <= MOST_LOOKED_AT) {
    const { q, license = null } = input;
    const search = q === null && license === null ? null : pageQuery({ q, license });
    return shownValues(await readTags(connection, search, input, CANDIDATES), tag, most);
  }
  const common = await readCommonTags(connection, CANDIDATES);
  const tags = [...new Set([...(tag === null ? [] : [tag.toLowerCase()]), ...common])];
  const searches = tags.map((each) => pageQuery({ q: input.q, tag: each }) ?? '');
  const kept = await readKeptCounts(connection, searches, input);
  const counted = tags.flatMap((value, place) => {
    const count = kept[place] ?? null;
    if (count === null) asked?.note(searches[place] ?? '', left);
    return count === null || count === 0 ? [] : [{ value, count }];
  });
  return shownValues(counted, tag, most);
}
