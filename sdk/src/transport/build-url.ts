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
  // Values are encoded, so the first & begins the query, whether it is in the template or in `pairs`.
  return baseUrl.replace(/\/?$/, (filled + pairs.join('')).replace('&', '?'));
}

/**
 * Encodes one value. An id must be a text that contains more than spaces and dots: URLs resolve dots to another path,
 * and a missing id would be encoded as "undefined" or "null".
 */
function encoded(name: string, value: string, isId?: boolean): string {
  try {
    // A value that is not text has no `trim`, and a lone surrogate cannot be encoded: both errors are caught and
    // replaced below.
    if (!isId || /[^.]/.test(value.trim())) return encodeURIComponent(value);
  } catch {}
  throw new ConfigurationError(`${name} must be well-formed text, not empty or dots.`);
}
