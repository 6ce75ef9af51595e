const CONTROL = /\p{Cc}/u;
// Real rows have three levels; a bound keeps a hostile line from exhausting the stack, here and in PostgreSQL.
const MAX_DEPTH = 16;

/**
 * Why a parsed JSON value can't be stored, or null: control characters, halves of characters (lone surrogates), numbers
 * beyond what JSON can write again, or nesting deeper than any real row. Keys are looked at like values.
 */
export function unstorable(value: unknown, place = 'row', depth = 0): string | null {
  if (typeof value === 'string') return unstorableText(value, place);
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${place}: number out of range`;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  for (const [key, item] of Object.entries(value)) {
    const inside = Array.isArray(value) || depth > 0 ? place : key;
    const reason = unstorableText(key, 'a field name') ?? unstorable(item, inside, depth + 1);
    if (reason !== null) return reason;
  }
  return null;
}

function unstorableText(text: string, place: string): string | null {
  if (!text.isWellFormed()) return `${place}: not well-formed Unicode`;
  return CONTROL.test(text) ? `${place}: holds a control character` : null;
}
