import { ConfigurationError } from '../errors/errors.ts';
import { definedEntries } from './read-options.ts';

/**
 * Builds the URL of an endpoint from base URL, path template, path parameter and query. Omits query parameters that are
 * `undefined`. Throws a {@link ConfigurationError} for a value that can't be encoded or would lead to another path.
 */
export function buildUrl(baseUrl: string, path: string, place = '', query?: object): string {
  const filled = path.replace(/{(\w+)}/, (_, name) => encoded(name, place, true));
  const pairs = definedEntries(query).map(
    ([name, value]) => `&${name}=${encoded(name as string, value as string)}`,
  );
  // Values are encoded, so the first & is the beginning of the query, which some templates contain.
  return baseUrl.replace(/\/?$/, (filled + pairs.join('')).replace('&', '?'));
}

/**
 * Encodes one value. An id must be text with more than spaces and dots: URLs resolve dots to another path, and an id that is
 * missing would be encoded as "undefined" or "null".
 */
function encoded(name: string, value: string, isId?: boolean): string {
  try {
    // Values without `trim` are not text: the error becomes the one below, as do half characters.
    if (!isId || /[^.]/.test(value.trim())) return encodeURIComponent(value);
  } catch {}
  throw new ConfigurationError(`${name} must be well-formed text, not empty or dots.`);
}
