/** Maximum names in a message, because a request can contain thousands. */
const MOST_NAMED = 10;

/** Quotes and shortens a name from a request, so that a message can safely repeat it. */
export function printable(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** Lists the first ten names from a request, and the number of the remaining ones. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(printable).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
