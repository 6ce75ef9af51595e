const KEY_CHARACTERS = 200;

/** A text as names are compared: NFKC, lower case, as the database's `name_key` makes it of stored names. */
export function nameKey(text: string): string {
  return [...text.trim().normalize('NFKC').toLowerCase()].slice(0, KEY_CHARACTERS).join('');
}
