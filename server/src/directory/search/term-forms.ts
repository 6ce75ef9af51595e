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

/** Forms of the terms of a search, by the beginning of their first word. */
export type FormIndex = ReadonlyMap<string, readonly { term: SearchTerm; form: TermForm }[]>;

const KEY_LENGTH = 2;

/** Prepares the forms of terms, the words themselves among them, for comparison with many texts. */
export function indexForms(terms: readonly SearchTerm[]): FormIndex {
  const index = new Map<string, { term: SearchTerm; form: TermForm }[]>();
  for (const term of terms) {
    for (const form of [[term.word], ...term.forms].map(toTermForm)) {
      const key = form[0]?.[0]?.stem.slice(0, KEY_LENGTH) ?? '';
      index.set(key, [...(index.get(key) ?? []), { term, form }]);
    }
  }
  return index;
}

function toTermForm(form: readonly string[]): TermForm {
  return form.map((each) => searchWords(each).map((word) => ({ word, stem: stemOf(word) })));
}

/** A place in a text that has a form of a term. */
export interface LocatedTerm {
  readonly term: SearchTerm;
  readonly range: TextRange;
}

/**
 * Returns where a text has forms of terms: all words of a form, one after the other. Words in scripts without spaces may
 * overlap, as `数据` and `据库` do in `数据库`.
 */
export function findTerms(words: readonly LocatedWord[], index: FormIndex): LocatedTerm[] {
  const found: LocatedTerm[] = [];
  for (const [place, { word, from }] of words.entries()) {
    for (let length = 1; length <= Math.min(KEY_LENGTH, word.length); length += 1) {
      for (const { term, form } of index.get(word.slice(0, length)) ?? []) {
        const last = words[(endOfForm(words, form, place) ?? 0) - 1];
        if (last !== undefined) found.push({ term, range: { from, to: last.to } });
      }
    }
  }
  return found;
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
