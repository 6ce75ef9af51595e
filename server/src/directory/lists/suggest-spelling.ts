import type { Connection } from '../../database/connect.ts';
import { LEAST_SPELLED, PLACE, runTogether } from '../../registry/listings/listing-words.ts';
import { askedWords } from '../../registry/listings/search-words.ts';
import { editDistance, mostSlips, oneSlipFrom } from './edit-distance.ts';
import { type Bearer, findBearers, findNear, findSpelled, findsAny } from './spelling.repository.ts';

/** Spellings that share trigrams; how many slips lie between is looked at for each. */
const MOST_NEAR = 100;
const MOST_COMPARED = 10;
const MOST_WORDS = 6;

/**
 * What somebody probably meant: the name that the whole text is nearest to, or the text with each word that no name and no
 * tag begins with as the nearest that one has. Null where nothing is near.
 */
export async function suggestSpelling(connection: Connection, q: string): Promise<string | null> {
  const whole = await nearest(connection, runTogether(q));
  const words = askedWords(q);
  if (whole !== null && (whole.name !== null || words.length === 1)) return whole.name ?? whole.word;
  if (words.length === 1 || words.length > MOST_WORDS) return null;
  const corrected: string[] = [];
  for (const word of words) {
    const search = searchFor(word);
    const isKnown = word.length < LEAST_SPELLED || (await findsAny(connection, { all: search, by: search }));
    const other = isKnown ? null : await nearest(connection, word);
    if (!isKnown && other === null) return null;
    corrected.push(other?.word ?? word);
  }
  return corrected.every((word, place) => word === words[place]) ? null : corrected.join(' ');
}

function searchFor(word: string): string {
  return `'${PLACE.name}${word}':* | '${PLACE.tag}${word}':*`;
}

interface Near extends Bearer {
  slips: number;
}

/**
 * How much of their trigrams two spellings share at least, where more than one slip lies between or a letter that is rarely
 * typed. Most slips leave half, and few spellings share as much, so that those are looked at first.
 */
const SHARED = [0.45, 0.2];

/**
 * The spelling nearest to a word: fewest slips, then whole names, then the most popular. All words that are one slip away are
 * looked up, a few hundred in an index; trigrams would tell of those alone that share many.
 */
async function nearest(connection: Connection, word: string): Promise<Near | null> {
  const most = mostSlips(word.length);
  if (most === 0) return null;
  const oneSlip = await nearestOf(connection, word, await findSpelled(connection, oneSlipFrom(word)), most);
  if (oneSlip) return oneSlip;
  for (const least of SHARED) {
    const found = await nearestOf(connection, word, await findNear(connection, word, least, MOST_NEAR), most);
    if (found) return found;
  }
  return null;
}

async function nearestOf(
  connection: Connection,
  word: string,
  spellings: readonly string[],
  most: number,
): Promise<Near | null> {
  const near = spellings
    .map((spelling) => ({ spelling, slips: editDistance(word, spelling, most) }))
    .filter(({ slips }) => slips > 0 && slips <= most)
    .sort((one, other) => one.slips - other.slips)
    .slice(0, MOST_COMPARED);
  if (near.length === 0) return null;
  const bearers = await findBearers(
    connection,
    near.map(({ spelling }) => spelling),
  );
  const found = bearers.map((bearer) => ({
    ...bearer,
    slips: near.find(({ spelling }) => spelling === bearer.word)?.slips ?? most,
  }));
  return found.sort(byNearness)[0] ?? null;
}

function byNearness(one: Near, other: Near): number {
  return (
    one.slips - other.slips ||
    Number(other.name !== null) - Number(one.name !== null) ||
    other.popularity - one.popularity ||
    (one.word < other.word ? -1 : 1)
  );
}
