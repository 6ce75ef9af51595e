import { ConfigurationError } from '../errors/errors.ts';
import { definedEntries } from './read-options.ts';

/**
 * Builds the URL of an endpoint from base URL, path template, path parameter and query. Omits query parameters that are
 * `undefined`. Throws a {@link ConfigurationError} for a value that can't be encoded or would lead to another path.
 */
export function buildUrl(baseUrl: string, path: string, place = '', query?: object): string {
  const filled = path.replace(/{(\w+)}/, (_, name) => encoded(name, place, /^\.*$/));
  const pairs = definedEntries(query).map(
    ([name, value], index) => `${index ? '&' : '?'}${name}=${encoded(name, value)}`,
  );
  return baseUrl.replace(/\/?$/, filled) + pairs.join('');
}

/** Encodes one value. A path parameter must not be empty or only dots, which URLs resolve to another path. */
function encoded(name: string, value: string, refused?: RegExp): string {
  try {
    if (!refused?.test(value)) return encodeURIComponent(value);
  } catch {}
  throw new ConfigurationError(`${name} must be well-formed text, not empty or dots.`);
}
