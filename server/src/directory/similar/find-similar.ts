import type { Connection } from '../../database/connect.ts';
import { lowerAscii, marksOf, marksQuery } from '../../registry/listings/search-marks.ts';
import { searchWords } from '../../registry/listings/search-words.ts';
import type { AgentRecord } from '../agent-record.ts';
import { getAgents } from '../get-agents.ts';
import { findLikest, readFrequencies } from './similar.repository.ts';

const MOST_TAGS = 12;
const MOST_WORDS = 8;
/** A shared tag says more than a shared word of a name. */
const TAG_WORTH = 2;
/** Where a directory's statistics do not name a lexeme, at most this part of the listings has it. */
const UNCOMMON_PART = 0.001;
/** Lexemes are sought, the rarest first, until this many listings may have them. */
const MOST_EXPECTED = 4_000;

interface Lexeme {
  text: string;
  query: string;
  worth: number;
}

/**
 * The agents and skills most like one, the likest first: they share rare tags and words of the name, more so in the same
 * category. One that has neither has none. Time does not grow with the directory: what very many share is not sought.
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
    .map((lexeme) => ({ ...lexeme, part: parts.get(lexeme.text) ?? UNCOMMON_PART }))
    .sort((one, other) => one.part - other.part)
    // What everybody has tells nobody apart.
    .map(({ query, worth, part }) => ({ query, part, weight: worth * Math.log(1 / Math.min(part, 0.99)) }));
  const sought = rarest(terms, listings);
  const { subjectId, category } = record;
  const ids = await findLikest(connection, { subjectId, category, sought, terms }, most);
  return getAgents(connection, ids);
}

function lexemesOf({ name, tags }: AgentRecord): Lexeme[] {
  const lexemes = new Map<string, Lexeme>();
  for (const tag of tags.slice(0, MOST_TAGS)) {
    const text = `#t:${lowerAscii(tag)}`;
    for (const query of marksQuery(marksOf({ tag }))) lexemes.set(text, { text, query, worth: TAG_WORTH });
  }
  for (const word of searchWords(name).slice(0, MOST_WORDS))
    lexemes.set(word, { text: word, query: `'${word}'`, worth: 1 });
  return [...lexemes.values()];
}

/** The rarest one always, and those after it while few enough listings have them. */
function rarest(terms: readonly { query: string; part: number }[], listings: number): string[] {
  let expected = 0;
  return terms
    .filter(({ part }, place) => {
      expected += part * listings;
      return place === 0 || expected <= MOST_EXPECTED;
    })
    .map(({ query }) => query);
}
