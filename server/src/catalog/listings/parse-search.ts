import { FIELD_PREFIX, joinedRepository, joinWords } from './listing-words.ts';
import { queryWords, stemOf } from './search-words.ts';
import { NO_SYNONYMS, type Synonyms } from './synonyms.ts';

/** A search, as texts for `$1::tsquery`. */
export interface Search {
  /** Query for all matches. */
  readonly all: string;
  /**
   * Queries by relevance class, best first. A listing belongs to the first class that it matches. Each class is a
   * subset of `all`.
   */
  readonly classes: readonly string[];
  /** `all` in disjunctive form: a listing matches if all conditions of at least one group hold. */
  readonly groups: readonly (readonly string[])[];
}

/** Maximum words of a text whose adjacent words are joined. Longer texts are not names. */
const MAX_JOINED = 5;

/**
 * Parses search text. Every word must match as a prefix, by its stem, by a synonym, or joined with its neighbour.
 * Returns null if the text has no words; such a text matches nothing. Words contain only letters, marks and digits, so
 * that no character of the text can act as an operator.
 */
export function parseSearch(text: string, synonyms: Synonyms = NO_SYNONYMS): Search | null {
  const words = [...new Set(queryWords(text))];
  if (words.length === 0) return null;
  const whole = joinWords(text);
  const groups = distinct([words, ...pairsOf(words, whole), [whole]]);
  const repository = repositoryOf(text);
  const orRepository = repository === null ? '' : ` | ${lexeme(FIELD_PREFIX.repository + repository)}`;
  const conditions = (...places: string[]) =>
    groups.map((group) => group.map((word) => either(word, places, synonyms)));
  const within = (...places: string[]) => anyOf(conditions(...places));
  const name = lexeme(FIELD_PREFIX.wholeName + whole);
  const all = within('') + orRepository;
  return {
    all,
    classes: [
      name + orRepository,
      `${name}:*`,
      within(FIELD_PREFIX.name),
      within(FIELD_PREFIX.name, FIELD_PREFIX.tag),
      within(FIELD_PREFIX.name, FIELD_PREFIX.tag, FIELD_PREFIX.creator),
      all,
    ],
    groups: [
      ...conditions(''),
      ...(repository === null ? [] : [[lexeme(FIELD_PREFIX.repository + repository)]]),
    ],
  };
}

/** Joins groups of conditions with OR, as text for `$1::tsquery`. */
export function anyOf(groups: readonly (readonly string[])[]): string {
  return groups.map((group) => group.join(' & ')).join(' | ');
}

/** Returns the condition itself and each of its forms that is a single word. */
export function formsOf(condition: string): string[] {
  const forms = condition.replace(/^\((.*)\)$/, '$1').split(' | ');
  return [...new Set([condition, ...forms.filter((form) => !form.includes(' & '))])];
}

/**
 * Returns variants of the words with two adjacent ones joined. Returns none for scripts without spaces, whose words
 * overlap.
 */
function pairsOf(words: readonly string[], whole: string): string[][] {
  if (words.length > MAX_JOINED || words.join('') !== whole) return [];
  return words
    .slice(1)
    .map((word, at) => [...words.slice(0, at), `${words[at]}${word}`, ...words.slice(at + 2)]);
}

/** Returns a condition that matches one of the word's forms in one of the fields. */
function either(word: string, places: readonly string[], synonyms: Synonyms): string {
  const forms = [[word], ...(synonyms.get(word) ?? [])];
  const found = forms.flatMap((words) =>
    places.map((place) => words.map((each) => `${lexeme(place + stemOf(each))}:*`).join(' & ')),
  );
  return found.length === 1 ? found.join('') : `(${found.join(' | ')})`;
}

function lexeme(word: string): string {
  return `'${word}'`;
}

/** Matches a repository URL, or the `owner/name` at its end. */
const REPOSITORY =
  /^(?:(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}\/)?([^/\s]+)\/([^/\s?#]+?)(?:\.git)?\/?(?:[?#]\S*)?$/i;

/** Returns `owner/name`, with each part as one word, if the text is only that or a repository URL; otherwise null. */
function repositoryOf(text: string): string | null {
  const [, owner = '', name = ''] = REPOSITORY.exec(text.trim()) ?? [];
  const whole = joinedRepository(`${owner}/${name}`);
  return /^[^/]+\/[^/]+$/.test(whole) ? whole : null;
}

function distinct(groups: readonly string[][]): string[][] {
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}
