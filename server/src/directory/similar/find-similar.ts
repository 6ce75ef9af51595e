import { searchWords } from '../../catalog/listings/search-words.ts';
import { toListingFlags } from '../../catalog/relations/listing-flags.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { filterTermsOf, quoteFilterTerm } from '../lists/filters.ts';
import type { ListEntry } from '../lists/link-agents.ts';
import { findLikest, type Lexeme } from './similar.queries.ts';

const MAX_TAGS = 12;
const MAX_WORDS = 8;
/** Weight of a shared tag relative to a shared word of the name. */
const TAG_WEIGHT = 2;

/**
 * Returns up to five agents and skills that are most similar to one, best first. They share rare tags and words of the
 * name; the same category counts extra. Returns none if the record has neither tags nor words. Common words and tags
 * are not queried, so that the time does not grow with the directory.
 */
export async function findSimilar(connection: Connection, record: AgentRecord): Promise<ListEntry[]> {
  const lexemes = lexemesOf(record);
  if (lexemes.length === 0) return [];
  const { subjectId, category } = record;
  const rows = await findLikest(connection, { subjectId, category, lexemes });
  return rows.map(({ lowerBound, figuresAt, readAt, flags, ...found }) => ({
    record: found,
    lowerBound,
    figuresAt,
    readAt,
    flags: toListingFlags(flags ?? []),
  }));
}

function lexemesOf({ name, tags }: AgentRecord): Lexeme[] {
  const lexemes = new Map<string, Lexeme>();
  for (const tag of tags.slice(0, MAX_TAGS)) {
    for (const text of filterTermsOf({ tag }))
      lexemes.set(text, { text, query: quoteFilterTerm(text), worth: TAG_WEIGHT });
  }
  for (const word of searchWords(name).slice(0, MAX_WORDS))
    lexemes.set(word, { text: word, query: `'${word}'`, worth: 1 });
  return [...lexemes.values()];
}
