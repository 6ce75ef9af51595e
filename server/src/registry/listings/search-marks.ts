/** What a listing is found by beside its words, as the database's `listing_marks` writes it; null asks for none. */
export interface Marks {
  license?: string | null;
  tag?: string | null;
}

const MARK_CHARACTERS = 100;
const LICENSE = '#l:';

/**
 * The marks of what is asked for. No word begins as a mark does, so that no search finds one by accident. Only A to Z count as
 * one with their small letters, whatever the locale.
 */
export function marksOf({ license = null, tag = null }: Marks): string[] {
  return [
    ...(license === null ? [] : [`${LICENSE}${spell(license)}`]),
    ...(tag === null ? [] : [`#t:${spell(tag)}`]),
  ];
}

/** Marks as conditions of a `tsquery`, each whole. */
export function marksQuery(marks: readonly string[]): string[] {
  return marks.map(quote);
}

/** The licence that a mark is of, as narrow rows have it; null where it is of something else. */
export function licenseOf(mark: string): string | null {
  return mark.startsWith(LICENSE) ? mark.slice(LICENSE.length) : null;
}

/** A value as its mark holds it. */
function spell(value: string): string {
  return lowerAscii([...value].slice(0, MARK_CHARACTERS).join(''));
}

/** The same text with A to Z in small letters, as PostgreSQL's `lower` does without a locale. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
