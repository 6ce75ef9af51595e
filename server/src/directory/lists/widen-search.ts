import type { Connection } from '../../database/connect.ts';
import { readSearch, type Search } from '../../registry/listings/read-search.ts';
import type { Synonyms } from '../../registry/listings/synonyms.ts';
import type { AskedSearches } from './asked-searches.ts';
import { ALL, type Counts, countChosen, countSearch } from './count-by-filter.ts';
import { pageSearch, type Query } from './list-query.ts';
import { findsAny } from './spelling.repository.ts';
import { suggestSpelling } from './suggest-spelling.ts';

/** A search as it is carried out, and what it finds. */
export interface WidenedSearch {
  query: Exclude<Query, null>;
  /** Without any filter. */
  counts: Counts;
  /** What was looked for besides, because the text as written finds nothing or too little; null where it was not widened. */
  didYouMean: string | null;
}

/** Fewer matches, none of them by name, look like a slip of the fingers. */
const ENOUGH = 10;
/** The classes of those that are it by name or repository, or have all words in their name. */
const NAMED = [0, 2];

/** What a text finds; where that is nothing, or a few descriptions, with what somebody probably meant. */
export async function widenSearch(
  connection: Connection,
  q: string,
  { asked, synonyms }: { asked?: AskedSearches | undefined; synonyms?: Synonyms | undefined } = {},
): Promise<WidenedSearch> {
  const literal = readSearch(q, synonyms);
  const counts = await countSearch(connection, literal ?? q, asked);
  const written: WidenedSearch = { query: literal ?? q, counts, didYouMean: null };
  if (literal === null) return written;
  const found = countChosen(counts.found, ALL);
  const isNamed = () => {
    const search = pageSearch({ q: literal }, counts.common);
    const named = NAMED.flatMap((at) => literal.classes[at] ?? []).join(' | ');
    return search !== null && findsAny(connection, { all: named, by: search.by });
  };
  if (found >= ENOUGH || (found > 0 && (await isNamed()))) return written;
  const didYouMean = await suggestSpelling(connection, q);
  const other = didYouMean === null ? null : readSearch(didYouMean, synonyms);
  if (other === null) return written;
  const query = found === 0 ? other : either(literal, other);
  const widened = await countSearch(connection, query, asked);
  // What nobody is called any more finds nothing.
  return countChosen(widened.found, ALL) > found ? { query, counts: widened, didYouMean } : written;
}

function either(one: Search, other: Search): Search {
  const both = (first: string, second: string) => `${first} | ${second}`;
  return {
    all: both(one.all, other.all),
    classes: one.classes.map((search, at) => both(search, other.classes[at] ?? search)),
    groups: [...one.groups, ...other.groups],
  };
}
