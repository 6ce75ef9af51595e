import { filterTermsOf, lowerAscii, quoteFilterTerms } from '../../catalog/listings/filter-terms.ts';
import { searchWords } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { getAgents } from '../agents/get-agent.ts';
import { findLikest, readFrequencies } from './similar.queries.ts';

const MAX_TAGS = 12;
const MAX_WORDS = 8;
/** Weight of a shared tag relative to a shared word of the name. */
const TAG_WEIGHT = 2;
/** Assumed share of listings with a lexeme that is missing from the statistics. */
const ASSUMED_RARE_SHARE = 0.001;
/** Adds lexemes to the query, rarest first, until this many matches are expected. */
const MAX_EXPECTED = 4_000;

interface Lexeme {
  text: string;
  query: string;
  worth: number;
}

/**
 * Returns the agents and skills most similar to one, best first: they share rare tags and words of the name; the same
 * category counts extra. Returns none if it has neither tags nor words. Common lexemes are not queried, so that the
 * time does not grow with the directory.
 */
export async function findSimilar(
  connection: Connection,
  record: AgentRecord,
  most: number,
): Promise<AgentRecord[]> {
  const lexemes = lexemesOf(record);
  if (lexemes.length === 0) return [];
  const { listings, parts } = await readFrequencies(
    connection,
    lexemes.map(({ text }) => text),
  );
  const terms = lexemes
    .map((lexeme) => ({ ...lexeme, part: parts.get(lexeme.text) ?? ASSUMED_RARE_SHARE }))
    .sort((one, other) => one.part - other.part)
    // Lexemes that all listings have do not distinguish any, so they have no weight.
    .map(({ query, worth, part }) => ({ query, part, weight: worth * Math.log(1 / Math.min(part, 0.99)) }));
  const sought = rarest(terms, listings);
  const { subjectId, category } = record;
  const ids = await findLikest(connection, { subjectId, category, sought, terms }, most);
  return getAgents(connection, ids);
}

function lexemesOf({ name, tags }: AgentRecord): Lexeme[] {
  const lexemes = new Map<string, Lexeme>();
  for (const tag of tags.slice(0, MAX_TAGS)) {
    const text = `#t:${lowerAscii(tag)}`;
    for (const query of quoteFilterTerms(filterTermsOf({ tag })))
      lexemes.set(text, { text, query, worth: TAG_WEIGHT });
  }
  for (const word of searchWords(name).slice(0, MAX_WORDS))
    lexemes.set(word, { text: word, query: `'${word}'`, worth: 1 });
  return [...lexemes.values()];
}

/** Returns the rarest lexeme, and the next ones while few enough matches are expected. */
function rarest(terms: readonly { query: string; part: number }[], listings: number): string[] {
  let expected = 0;
  return terms
    .filter(({ part }, place) => {
      expected += part * listings;
      return place === 0 || expected <= MAX_EXPECTED;
    })
    .map(({ query }) => query);
}
