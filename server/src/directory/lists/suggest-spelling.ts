import type { Connection } from '../../database/connect.ts';
import { LEAST_SPELLED, PLACE, runTogether } from '../../registry/listings/listing-words.ts';
import { askedWords } from '../../registry/listings/search-words.ts';
import { editDistance, mostSlips } from './edit-distance.ts';
import { type Bearer, findBearers, findNear, findsAny } from './spelling.repository.ts';

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
    const isKnown = word.length < LEAST_SPELLED || (await findsAny(connection, searchFor(word)));
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
 * How much of their trigrams two spellings share at least. Most slips leave half, and few spellings share as much, so that
 * those are looked at first. Two letters that changed places in a word of six leave a quarter.
 */
const SHARED = [0.45, 0.2];

/** The spelling nearest to a word: fewest slips, then whole names, then the most popular. */
async function nearest(connection: Connection, word: string): Promise<Near | null> {
  const most = mostSlips(word.length);
  if (most === 0) return null;
  for (const least of SHARED) {
    const found = await nearestSharing(connection, word, { least, most });
    if (found) return found;
  }
  return null;
}

async function nearestSharing(
  connection: Connection,
  word: string,
  { least, most }: { least: number; most: number },
): Promise<Near | null> {
  const near = (await findNear(connection, word, least, MOST_NEAR))
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
