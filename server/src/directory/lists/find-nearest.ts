import { searchWords } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { buildLikeness, type DirectorySearch } from '../search/build-search.ts';
import { matchAny } from '../search/match-conditions.sql.ts';
import { rankMatches } from '../search/rank-matches.queries.ts';
import type { IgnoredWord } from '../search/search-term.ts';
import { findNearWords } from '../search/vocabulary.queries.ts';
import { EVERYTHING } from './key-ranges.sql.ts';
import { readEntries, readPage, toRecord } from './list-agents.queries.ts';

/** Entries to show instead of the matches of a search that has none. */
export interface Nearest {
  /** The entries, at most five, nearest first. */
  readonly nearest: readonly AgentRecord[];
  /**
   * Tells how the entries were found: `words` by some words of the search, `spelling` by similarly spelled words.
   * `popularity`: no similar word exists, so these are the most popular entries. Null without entries.
   */
  readonly nearestBy: 'words' | 'spelling' | 'popularity' | null;
  /** Words of the search that no entry had when words were last counted. */
  readonly unknownWords: readonly IgnoredWord[];
}

/** Result for a search that has matches. */
export const NOTHING_NEAR: Nearest = { nearest: [], nearestBy: null, unknownWords: [] };

const MAX_NEAREST = 5;
/**
 * `MAX_COMPARED`: maximum unknown words for which similar words are looked up, and maximum words of a long text that
 * are searched for. `MAX_SIMILAR`: maximum similar words of each unknown word.
 */
const MAX_COMPARED = 3;
const MAX_SIMILAR = 5;
/** Minimum trigram similarity, from 0 to 1, of words that count as similarly spelled. */
const LEAST_SIMILARITY = 0.3;

/** Finds the entries nearest to a search without matches. `search` is null if the search text has no words. */
export async function findNearest(connection: Connection, search: DirectorySearch | null): Promise<Nearest> {
  const unknown = (search?.terms ?? []).filter(({ share }) => share === 0).map(({ word }) => word);
  const unknownWords = unknown.map((word) => ({ word, reason: 'unknown' as const }));
  const byWords = await findAny(connection, search);
  if (byWords.length > 0) return { nearest: byWords, nearestBy: 'words', unknownWords };
  const bySpelling = await findAny(connection, await spelledLike(connection, unknown));
  if (bySpelling.length > 0) return { nearest: bySpelling, nearestBy: 'spelling', unknownWords };
  const popular = { sort: 'relevance', search: null } as const;
  const { rows } = await readPage(connection, popular, [EVERYTHING], { offset: 0, limit: MAX_NEAREST });
  return { nearest: rows.map(toRecord), nearestBy: rows.length === 0 ? null : 'popularity', unknownWords };
}

/**
 * Returns the best listings among those that have at least one word of a search; of a long text, at least one of its
 * three rarest known words, because pasted texts must not slow other readers.
 */
async function findAny(connection: Connection, search: DirectorySearch | null): Promise<AgentRecord[]> {
  if (search === null) return [];
  const byShare = search.terms.filter(({ share }) => share > 0).sort((one, other) => one.share - other.share);
  if (byShare.length === 0) return [];
  const asked = search.isLong ? { ...search, terms: byShare.slice(0, MAX_COMPARED) } : search;
  const matches = { search: asked, match: matchAny(asked), filters: () => [] };
  const { ranked } = await rankMatches(connection, matches);
  return (await readEntries(connection, ranked.slice(0, MAX_NEAREST))).map(toRecord);
}

/**
 * Builds a search for words of names and tags that are spelled like the given ones, and for single characters of scripts
 * without spaces.
 */
async function spelledLike(
  connection: Connection,
  words: readonly string[],
): Promise<DirectorySearch | null> {
  const similar: string[] = [];
  for (const word of words.slice(0, MAX_COMPARED))
    similar.push(...(await findNearWords(connection, word, LEAST_SIMILARITY, MAX_SIMILAR)));
  return buildLikeness(connection, [...similar, ...words.flatMap(searchWords)].join(' '));
}
