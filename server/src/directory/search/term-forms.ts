import { searchWords, stemOf } from '../../catalog/listings/search-words.ts';
import type { LocatedWord, TextRange } from './locate-words.ts';
import type { SearchTerm } from './search-term.ts';

/** A word of a form, and the beginning that its own forms share. */
interface FormWord {
  readonly word: string;
  readonly stem: string;
}

/** A form of a search term for comparison with texts: its words, each split as texts are. */
type TermForm = readonly (readonly FormWord[])[];

/** Prepares the forms of a term, the word itself among them, for comparison with many texts. */
export function formsOfTerm({ word, forms }: SearchTerm): TermForm[] {
  return [[word], ...forms]
    .map((form) => form.map((each) => searchWords(each).map((part) => ({ word: part, stem: stemOf(part) }))))
    .filter((form) => form.length > 0 && form.every(({ length }) => length > 0));
}

/**
 * Returns where a text has one of the forms: all of its words, one after the other. Words in scripts without spaces may
 * overlap, as `数据` and `据库` do in `数据库`.
 */
export function findForms(words: readonly LocatedWord[], forms: readonly TermForm[]): TextRange[] {
  return words.flatMap((first, place) =>
    forms.flatMap((form) => {
      const end = endOfForm(words, form, place);
      const last = end === null ? undefined : words[end - 1];
      return last === undefined ? [] : [{ from: first.from, to: last.to }];
    }),
  );
}

/** Returns the place after a form that begins at this place; null if none begins there. */
function endOfForm(words: readonly LocatedWord[], form: TermForm, place: number): number | null {
  const [first = [], ...others] = form;
  if (!isThere(words, first, place)) return null;
  const end = place + first.length;
  if (others.length === 0) return end;
  for (let next = place + 1; next <= end; next += 1) {
    const found = endOfForm(words, others, next);
    if (found !== null) return found;
  }
  return null;
}

function isThere(words: readonly LocatedWord[], parts: readonly FormWord[], place: number): boolean {
  return parts.every((part, at) => {
    const found = words[place + at];
    if (found === undefined) return false;
    return parts.length === 1
      ? isForm(found.word, part)
      : found.word === part.word && (at === 0 || found.isAdjacent);
  });
}

/** Maximum length of words that must be equal; longer words match by their stem. */
const MAX_EXACT = 3;

/** Returns true if a word of a text counts as the asked word: equal, its plural, or with the same stem. */
function isForm(word: string, asked: FormWord): boolean {
  if (!word.startsWith(asked.stem)) return false;
  if (asked.stem.length > MAX_EXACT) return true;
  return word.startsWith(asked.word) && /^(?:s?$|\d)/.test(word.slice(asked.word.length));
}
