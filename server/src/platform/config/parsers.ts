import { isIP } from 'node:net';

/** Parses a whole number within bounds. */
export const wholeNumber = (min: number, max: number): VariableParser<number> => ({
  allowed: `a whole number from ${min} to ${max}`,
  parse: (text) => inRange(/^\d{1,12}$/.test(text) ? Number(text) : Number.NaN, min, max),
});

/** Parses a decimal number above 0 and at most 1. */
export const fraction: VariableParser<number> = {
  allowed: 'a number above 0 and at most 1',
  parse: (text) => inRange(/^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN, Number.MIN_VALUE, 1),
};

/** Parses one of several words. */
export const oneOf = <Word extends string>(...words: readonly Word[]): VariableParser<Word> => ({
  allowed: `one of ${words.join(', ')}`,
  parse: (text) => words.find((word) => word === text),
});

/** Parses a host name or IP address to listen on. */
export const address: VariableParser<string> = {
  allowed: 'an IP address such as 127.0.0.1 (0.0.0.0 for all), or a host name',
  parse: (text) => (isIP(text) > 0 || isHostName(text) ? text : undefined),
};

/** Parses a path, absolute or relative to the working directory. */
export const path: VariableParser<string> = {
  allowed: 'a path',
  parse: (text) => (text.includes('\0') ? undefined : text),
};

/** Parses a token that is valid in an HTTP header. */
export const token: VariableParser<string> = {
  allowed: 'visible ASCII characters without spaces',
  parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
};

/** Accepts any text in braces as a JWK or JWK set. The JSON and its keys are checked where they are used. */
export const signingKey: VariableParser<string> = {
  allowed: 'a JWK or a JWK set, as JSON',
  parse: (text) => (text.startsWith('{') && text.endsWith('}') ? text : undefined),
};

/** Parses an origin: a scheme, a host and an optional port. Removes a trailing slash. */
export const origin: VariableParser<string> = {
  allowed: 'an http or https URL without a path, such as https://directory.example',
  parse: (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.href === `${url.origin}/` ? url.origin : undefined;
  },
};

/** Parses a URL of a server to which requests are sent. Passwords belong in separate variables. */
export const httpUrl: VariableParser<string> = {
  allowed: 'an http or https URL without a user name or a fragment',
  parse: (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && !url.username && !url.password && !url.hash ? url.href : undefined;
  },
};

/** Parses the URL of a PostgreSQL database. */
export const postgresUrl: VariableParser<string> = {
  allowed:
    'a URL such as postgres://user:password@host:5432/database, with special characters of the password escaped (# as %23)',
  parse: (text) => {
    const url = parseUrl(text, ['postgres:', 'postgresql:']);
    return url && /^\/[^/]+$/.test(url.pathname) ? text : undefined;
  },
};

/** Parses the URL of a Redis server. */
export const redisUrl: VariableParser<string> = {
  allowed: 'a URL such as redis://host:6379/0 or rediss://…',
  parse: (text) => (parseUrl(text, ['redis:', 'rediss:'])?.hostname ? text : undefined),
};

/** Parses a comma-separated list without duplicates, of at least `min` values. */
export const listOf = <Value>(item: VariableParser<Value>, min = 0): VariableParser<readonly Value[]> => ({
  allowed: `a comma-separated list, each item ${item.allowed}`,
  parse: (text) => {
    const values = text === '' ? [] : text.split(',').map((part) => item.parse(part.trim()));
    const known = values.filter((value) => value !== undefined);
    const distinct = new Set(known).size === values.length;
    return distinct && known.length >= min ? Object.freeze(known) : undefined;
  },
});

/**
 * Parses a network of proxies. Rejects `true` and a number of proxies, with which clients could forge their address.
 */
export const network: VariableParser<string> = {
  allowed: 'a network such as 10.0.0.0/8 or 127.0.0.1/32 (/0 would trust every address)',
  parse: (text) => {
    const match = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text);
    const family = isIP(match?.[1] ?? '');
    if (family === 0) return undefined;
    return inRange(Number(match?.[2]), 1, family === 4 ? 32 : 128) === undefined ? undefined : text;
  },
};

/** Parses the name of a repository host, without scheme or port. */
export const repositoryHost: VariableParser<string> = {
  allowed: 'a host name in lower case such as github.com',
  parse: (text) => (isHostName(text) && text.includes('.') && text === text.toLowerCase() ? text : undefined),
};

const HOST_NAME =
  /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/**
 * Distinguishes a host name from an invalid IP address. For example, 999.1.1.1 has the characters of a name but is not
 * valid in a URL.
 */
function isHostName(text: string): boolean {
  return HOST_NAME.test(text) && URL.canParse(`http://${text}`);
}

function inRange(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}

function parseUrl(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && protocols.includes(url.protocol) ? url : undefined;
}

/** Environment variable with its documentation and parser. */
export interface Variable<Value> {
  /** Default as the documentation shows it; empty if there is none. */
  readonly fallback: string;
  /** Description for operators, one sentence. */
  readonly meaning: string;
  /** Description of the allowed values, to follow "must be". */
  readonly allowed: string;
  /** True if the value may contain a password or token; error messages then omit it. */
  readonly secret: boolean;
  /** Value if the variable is unset or empty. */
  readonly unset: Value;
  /** Returns the value, or undefined if the text is not allowed. */
  parse(text: string): Value | undefined;
}

/** Parser of one kind of value. */
export interface VariableParser<Value> {
  readonly allowed: string;
  parse(text: string): Value | undefined;
}

/** Creates a variable with a default, which is parsed like any other value. */
export function withDefault<Value>(
  kind: VariableParser<Value>,
  fallback: string,
  meaning: string,
): Variable<Value> {
  const unset = kind.parse(fallback);
  if (unset === undefined) throw new Error(`the default ${fallback} is not an allowed value`);
  return { ...kind, fallback, meaning, secret: false, unset };
}

/** Creates an optional variable, which is null if unset. `shown` describes its default for the documentation. */
export function optional<Value>(
  kind: VariableParser<Value>,
  meaning: string,
  options: { shown?: string; secret?: boolean } = {},
): Variable<Value | null> {
  return { ...kind, fallback: options.shown ?? '', meaning, secret: options.secret ?? false, unset: null };
}
