import canonicalize from 'canonicalize';

// The package is CommonJS and its types speak of an ES module: at run time the import is the function itself.
const serialize = canonicalize as unknown as (value: unknown) => string | undefined;

/** The one spelling of a JSON value (RFC 8785), for hashing. Throws for what is no JSON, such as NaN or undefined. */
export function canonicalJson(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('this value has no JSON form');
  return text;
}
