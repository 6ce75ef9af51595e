import { given } from './given.ts';

/**
 * A URL of the contract below a base: with the one place in its path filled, and the query, of which `undefined` counts as
 * left out. Throws a `TypeError` for a value that would lead elsewhere.
 */
export function urlOf(baseUrl: string, path: string, place = '', query?: object): string {
  const filled = path.replace(/{\w+}/, () => {
    // Encoding can't keep empty ones and dots there, which mean "here" and "one up".
    if (/^\.*$/.test(place)) throw new TypeError(`"${place}" is no id.`);
    return encodeURIComponent(place);
  });
  // The first one begins the query.
  const pairs = given(query).map(
    ([name, value], index) => `${index ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
  );
  return baseUrl.replace(/\/?$/, filled) + pairs.join('');
}
