import { PLACE, runTogether, wholeRepository } from './listing-words.ts';
import { askedWords } from './search-words.ts';
import { NO_SYNONYMS, type Synonyms } from './synonyms.ts';
import { stemOf } from './word-stem.ts';

/** A search, as texts for `$1::tsquery`. */
export interface Search {
  /** What finds all of its listings. */
  readonly all: string;
  /** What finds those of each class of relevance, best first; who is in several counts in the first. Each within `all`. */
  readonly classes: readonly string[];
  /** The same as `all`, as conditions of which every one of a group has to hold, and of the groups one. */
  readonly groups: readonly (readonly string[])[];
}

/** Neighbours are looked for as one word in texts of so many words: of longer ones no name is made. */
const MOST_JOINED = 5;

/**
 * What a text asks for: every word, as the beginning of a word, by its stem or by a synonym, or with a neighbour as one.
 * Null where it has no word, which matches nothing. Words hold only letters, marks and digits, so that no character of the
 * text is an operator.
 */
export function readSearch(text: string, synonyms: Synonyms = NO_SYNONYMS): Search | null {
  const words = [...new Set(askedWords(text))];
  if (words.length === 0) return null;
  const whole = runTogether(text);
  const groups = distinct([words, ...pairsOf(words, whole), [whole]]);
  const repository = repositoryOf(text);
  const orRepository = repository === null ? '' : ` | ${lexeme(PLACE.repository + repository)}`;
  const conditions = (...places: string[]) =>
    groups.map((group) => group.map((word) => either(word, places, synonyms)));
  const within = (...places: string[]) => anyOf(conditions(...places));
  const name = lexeme(PLACE.wholeName + whole);
  const all = within('') + orRepository;
  return {
    all,
    classes: [
      name + orRepository,
      `${name}:*`,
      within(PLACE.name),
      within(PLACE.name, PLACE.tag),
      within(PLACE.name, PLACE.tag, PLACE.creator),
      all,
    ],
    groups: [...conditions(''), ...(repository === null ? [] : [[lexeme(PLACE.repository + repository)]])],
  };
}

/** That all conditions of one of the groups hold, as text for `$1::tsquery`. */
export function anyOf(groups: readonly (readonly string[])[]): string {
  return groups.map((group) => group.join(' & ')).join(' | ');
}

/** What a condition of a search is met by: itself, and each single form of its word. */
export function formsOf(condition: string): string[] {
  const forms = condition.replace(/^\((.*)\)$/, '$1').split(' | ');
  return [...new Set([condition, ...forms.filter((form) => !form.includes(' & '))])];
}

/** The words with each two neighbours as one. In scripts without spaces, whose words overlap, there are none. */
function pairsOf(words: readonly string[], whole: string): string[][] {
  if (words.length > MOST_JOINED || words.join('') !== whole) return [];
  return words
    .slice(1)
    .map((word, at) => [...words.slice(0, at), `${words[at]}${word}`, ...words.slice(at + 2)]);
}

/** One word in one of its forms, at one of these places. */
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

/** An address of a repository, or the end of one: owner and name. */
const REPOSITORY =
  /^(?:(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}\/)?([^/\s]+)\/([^/\s?#]+?)(?:\.git)?\/?(?:[?#]\S*)?$/i;

/** `owner/name` with each as one word, where that, or an address of it, is all that a text says. */
function repositoryOf(text: string): string | null {
  const [, owner = '', name = ''] = REPOSITORY.exec(text.trim()) ?? [];
  const whole = wholeRepository(`${owner}/${name}`);
  return /^[^/]+\/[^/]+$/.test(whole) ? whole : null;
}

function distinct(groups: readonly string[][]): string[][] {
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}
