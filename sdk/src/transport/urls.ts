import { ConfigurationError } from '../errors/errors.ts';
import { given } from './given.ts';

/**
 * A URL of the contract below a base: with the one place in its path filled, and the query, of which `undefined` counts as
 * left out. Throws a {@link ConfigurationError} for a value that would lead elsewhere or can't stand in a URL.
 */
export function urlOf(baseUrl: string, path: string, place = '', query?: object): string {
  const filled = path.replace(/{(\w+)}/, (_, name) => {
    // Encoding can't keep empty ones and dots there, which mean "here" and "one up".
    if (/^\.*$/.test(place)) throw new ConfigurationError(`${name} must not be empty or only dots.`);
    return encoded(name, place);
  });
  // The first one begins the query.
  const pairs = given(query).map(
    ([name, value], index) => `${index ? '&' : '?'}${name}=${encoded(name, value)}`,
  );
  return baseUrl.replace(/\/?$/, filled) + pairs.join('');
}

function encoded(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new ConfigurationError(`${name} must be a well-formed text, without half a character.`);
  }
}
