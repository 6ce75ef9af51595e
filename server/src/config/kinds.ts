import { isIP } from 'node:net';
import type { Kind } from './variable.ts';

/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number): Kind<number> => ({
  allowed: `a whole number from ${min} to ${max}`,
  parse: (text) => inRange(/^\d{1,12}$/.test(text) ? Number(text) : Number.NaN, min, max),
});

/** A decimal number above 0 and at most 1. */
export const fraction: Kind<number> = {
  allowed: 'a number above 0 and at most 1',
  parse: (text) => inRange(/^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN, Number.MIN_VALUE, 1),
};

/** One of a few words. */
export const oneOf = <Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  allowed: `one of ${words.join(', ')}`,
  parse: (text) => words.find((word) => word === text),
});

/** A host name or an IP address to listen on. */
export const address: Kind<string> = {
  allowed: 'an IP address such as 127.0.0.1 (0.0.0.0 for all), or a host name',
  parse: (text) => (isIP(text) > 0 || isHostName(text) ? text : undefined),
};

/** A path, absolute or from the working directory. */
export const path: Kind<string> = {
  allowed: 'a path',
  parse: (text) => (text.includes('\0') ? undefined : text),
};

/** A token that can stand in an HTTP header. */
export const token: Kind<string> = {
  allowed: 'visible ASCII characters without spaces',
  parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
};

/** A scheme, a host and perhaps a port; a slash at the end is taken off. */
export const origin: Kind<string> = {
  allowed: 'an http or https URL without a path, such as https://directory.example',
  parse: (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.href === `${url.origin}/` ? url.origin : undefined;
  },
};

/** A URL to send requests to; a password belongs into a variable of its own. */
export const httpUrl: Kind<string> = {
  allowed: 'an http or https URL without a user name or a fragment',
  parse: (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && !url.username && !url.password && !url.hash ? url.href : undefined;
  },
};

/** Where PostgreSQL is. */
export const postgresUrl: Kind<string> = {
  allowed:
    'a URL such as postgres://user:password@host:5432/database, with special characters of the password escaped (# as %23)',
  parse: (text) => {
    const url = parseUrl(text, ['postgres:', 'postgresql:']);
    return url && /^\/[^/]+$/.test(url.pathname) ? text : undefined;
  },
};

/** Where Redis is. */
export const redisUrl: Kind<string> = {
  allowed: 'a URL such as redis://host:6379/0 or rediss://…',
  parse: (text) => (parseUrl(text, ['redis:', 'rediss:'])?.hostname ? text : undefined),
};

/** A list of one kind, separated by commas, without repetitions; empty only when it may be. */
export const listOf = <Value>(item: Kind<Value>, min = 0): Kind<readonly Value[]> => ({
  allowed: `a list, separated by commas, of which each is ${item.allowed}`,
  parse: (text) => {
    const values = text === '' ? [] : text.split(',').map((part) => item.parse(part.trim()));
    const known = values.filter((value) => value !== undefined);
    const distinct = new Set(known).size === values.length;
    return distinct && known.length >= min ? Object.freeze(known) : undefined;
  },
});

/** A network of proxies. Numbers and `true` are not taken: both would let clients write their own address. */
export const network: Kind<string> = {
  allowed: 'a network such as 10.0.0.0/8 or 127.0.0.1/32 (/0 would trust every address)',
  parse: (text) => {
    const match = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text);
    const family = isIP(match?.[1] ?? '');
    if (family === 0) return undefined;
    return inRange(Number(match?.[2]), 1, family === 4 ? 32 : 128) === undefined ? undefined : text;
  },
};

/** The name of a repository host, without scheme or port. */
export const repositoryHost: Kind<string> = {
  allowed: 'a host name in lower case such as github.com',
  parse: (text) => (isHostName(text) && text.includes('.') && text === text.toLowerCase() ? text : undefined),
};

const HOST_NAME =
  /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** Tells a host name from an address that there is not: 999.1.1.1 has the letters of a name, and no URL can hold it. */
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
