import { HOST_APIS, type HostApi, type HostUrl, hostName, KNOWN_HOSTS } from './known-hosts.ts';
import type { VariableParser } from './parsers.ts';
import { httpUrl, token } from './parsers.ts';

const HOST = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/;
const API_URL = new RegExp(`^(?:(${HOST_APIS.join('|')})\\+)?(https?:.*)$`);

/** Parses API URLs of hosts: `host=URL` for known hosts, `host=kind+URL` for others; each host once. */
export const hostApiUrls: VariableParser<readonly HostUrl[]> = {
  allowed:
    `a comma-separated list of host=URL for ${KNOWN_HOSTS.map(({ host }) => host).join(', ')}, ` +
    `or of host=kind+URL for others, where kind is one of ${HOST_APIS.join(', ')}`,
  parse: (text) => parseList(text, parseUrl),
};

/** Parses API tokens of hosts: `host=token`; each host once. */
export const hostApiTokens: VariableParser<readonly { host: string; token: string }[]> = {
  allowed: 'a list of host=token, separated by commas',
  parse: (text) =>
    parseList(text, (host, value) => {
      const parsed = token.parse(value);
      return parsed === undefined ? undefined : { host, token: parsed };
    }),
};

function parseUrl(host: string, value: string): HostUrl | undefined {
  const [, api, address = ''] = API_URL.exec(value) ?? [];
  const url = httpUrl.parse(address);
  const isKnown = KNOWN_HOSTS.some((place) => place.host === host);
  if (url === undefined || url.includes('?') || (api === undefined && !isKnown)) return undefined;
  return { host, api: (api as HostApi | undefined) ?? null, url: url.replace(/\/+$/, '') };
}

function parseList<Item extends { host: string }>(
  text: string,
  parse: (host: string, value: string) => Item | undefined,
): readonly Item[] | undefined {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  const items = parts.map((part) => {
    const host = hostName(part.slice(0, Math.max(0, part.indexOf('='))));
    return HOST.test(host) ? parse(host, part.slice(part.indexOf('=') + 1)) : undefined;
  });
  const known = items.filter((item) => item !== undefined);
  const distinct = new Set(known.map(({ host }) => host)).size === items.length;
  return distinct ? Object.freeze(known) : undefined;
}
