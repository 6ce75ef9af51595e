import { stemOf } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { findArtifactTexts } from './explain-match.queries.ts';
import {
  type ComparedText,
  comparedName,
  comparedText,
  locateTerm,
  mergeRanges,
  patternOf,
  type TextRange,
} from './locate-terms.ts';
import type { SearchTerm } from './search-term.ts';

/** Texts of a listing that a search can match. */
export interface MatchedTexts {
  readonly name: string;
  readonly tags: readonly string[];
  readonly category: string;
  readonly description: string;
  /** Names of the creator; absent if not loaded. */
  readonly creatorNames?: readonly (string | null)[];
  /** Names and descriptions of artifacts inside the repository; absent if not loaded. */
  readonly inside?: readonly string[];
}

/** Part of a listing in which a word was found. `topics`: its tags and its category. */
export type MatchPlace = 'name' | 'topics' | 'creator' | 'description' | 'inside';

/** A term as it was found in one part of a listing. */
export interface FoundTerm {
  readonly place: MatchPlace;
  /** The term as the listing writes it. */
  readonly text: string;
  /** Position of the found text in the text of this part. */
  readonly at: number;
}

/** A term of a search, with the parts of a listing that contain it. `found` is empty if no loaded text contains it. */
export interface TermMatch {
  readonly word: string;
  readonly found: readonly FoundTerm[];
}

/** The reasons for which a listing is among the results of a search. */
export interface MatchExplanation {
  readonly terms: readonly TermMatch[];
  /** True if there are terms and each is in at least one of the loaded texts. */
  readonly matchesAll: boolean;
  /** Ranges of the name to highlight. */
  readonly nameMarks: readonly TextRange[];
  /** Ranges of the description to highlight. */
  readonly descriptionMarks: readonly TextRange[];
}

interface SearchedText {
  place: MatchPlace;
  text: string;
  /** The text prepared for comparison, once for each way to split it into words. */
  compared: readonly ComparedText[];
}

/** Explains which terms a listing has, and where. */
export function explainMatch(listing: MatchedTexts, terms: readonly SearchTerm[]): MatchExplanation {
  // Lists without a search have no terms, so their texts need not be prepared.
  const texts = terms.length === 0 ? [] : textsOf(listing);
  const places = terms.map((term) => {
    const pattern = patternOf(term);
    return texts.flatMap((text) =>
      text.compared.flatMap((each) => locateTerm(each, pattern)).map((range) => ({ text, range })),
    );
  });
  const matches = terms.map(({ word }, at) => ({ word, found: firstOfEach(places[at] ?? []) }));
  const marksOf = (place: MatchPlace) =>
    mergeRanges(places.flat().flatMap(({ text, range }) => (text.place === place ? [range] : [])));
  return {
    terms: matches,
    matchesAll: matches.length > 0 && matches.every(({ found }) => found.length > 0),
    nameMarks: marksOf('name'),
    descriptionMarks: marksOf('description'),
  };
}

function textsOf({ creatorNames = [], inside = [], ...listing }: MatchedTexts): SearchedText[] {
  const { name, tags, category, description } = listing;
  const plain = (place: MatchPlace) => (text: string) => ({ place, text, compared: [comparedText(text)] });
  return [
    { place: 'name', text: name, compared: [comparedText(name), comparedName(name)] },
    ...[...tags, category].map(plain('topics')),
    ...creatorNames.filter((each) => each !== null).map(plain('creator')),
    plain('description')(description),
    ...inside.map(plain('inside')),
  ];
}

/** Returns, for each part of the listing that contains a term, the first place where it was found. */
function firstOfEach(found: readonly { text: SearchedText; range: TextRange }[]): FoundTerm[] {
  const first = new Map<MatchPlace, FoundTerm>();
  for (const { text, range } of found) {
    const { place } = text;
    if (!first.has(place))
      first.set(place, { place, text: text.text.slice(range.from, range.to), at: range.from });
  }
  return [...first.values()];
}

/** Explains why a listing is in a list, by its record and by texts of artifacts inside its repository. */
export function explainRecord(
  record: AgentRecord,
  terms: readonly SearchTerm[],
  inside: readonly string[] = [],
): MatchExplanation {
  const { creatorDisplayName, creatorHandle } = record;
  return explainMatch({ ...record, creatorNames: [creatorDisplayName, creatorHandle], inside }, terms);
}

/** Maximum forms of a term that are looked for in texts of artifacts. */
const MAX_FORMS = 10;

/**
 * Finds artifacts that contain terms which the record of their listing does not contain. Returns their names and
 * descriptions by the subject id of the listing.
 */
export function findInside(
  connection: Connection,
  records: readonly AgentRecord[],
  terms: readonly SearchTerm[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = records.flatMap((record) => {
    const found = explainRecord(record, terms).terms;
    return terms
      .filter((_, at) => found[at]?.found.length === 0)
      .flatMap(({ word, forms }) => [[word], ...forms].slice(0, MAX_FORMS))
      .map((form) => ({ subjectId: record.subjectId, pattern: `%${form.map(stemOf).join('%')}%` }));
  });
  return findArtifactTexts(connection, asked);
}
