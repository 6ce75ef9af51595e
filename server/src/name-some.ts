/** More than anybody mends at once: a request can hold thousands of names, and its answer should not. */
const MOST_NAMED = 10;

/** A name taken from a request, made safe and short enough to be repeated in an answer. */
export function printable(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** Names taken from a request, the first ten of them, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(printable).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
