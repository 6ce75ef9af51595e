/** What a listing is found by beside its words, as the database's `listing_marks` writes it; null asks for none. */
export interface Marks {
  kind?: string | null;
  license?: string | null;
  tag?: string | null;
}

const MARK_CHARACTERS = 100;

/**
 * Marks as conditions of a `tsquery`: each whole, and none for what is not asked for. No word begins as a mark does, so that
 * no search finds one by accident. Only A to Z count as one with their small letters, whatever the locale.
 */
export function marksQuery({ kind = null, license = null, tag = null }: Marks): string[] {
  return [
    ...(kind === null ? [] : [quote(`#k:${spell(kind)}`)]),
    ...(license === null ? [] : [quote(`#l:${spell(license)}`)]),
    ...(tag === null ? [] : [quote(`#t:${spell(tag)}`)]),
  ];
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
