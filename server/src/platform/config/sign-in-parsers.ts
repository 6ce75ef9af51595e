import { ACCOUNT_KINDS, type AccountKind, hostName } from './known-hosts.ts';
import type { VariableParser } from './parsers.ts';
import { origin } from './parsers.ts';

/** Account that signing in at an identity provider proves. */
export interface ProvingIssuer {
  readonly issuer: string;
  readonly kind: AccountKind;
  readonly host: string;
}

const HOST = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,8}$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses an issuer. It must use https, because anyone who can modify responses could sign in as anyone. http is
 * allowed only for this machine. The text is not normalized, because issuers are compared exactly.
 */
export const issuerUrl: VariableParser<string> = {
  allowed:
    'an https URL (http only on this machine) without a user name, a question mark or a fragment, exactly as the provider spells its issuer',
  parse: (text) => {
    const url = URL.parse(text);
    if (!url || url.username || url.password || url.search || url.hash || /[?#]/.test(text)) return undefined;
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
    return isSafe && text.length <= 500 ? text : undefined;
  },
};

/**
 * Parses the origin of a provider that has no issuer name. The same rules apply as for an issuer, and it must have no
 * path.
 */
export const providerOrigin: VariableParser<string> = {
  allowed: 'an https URL (http only on this machine) without a path',
  parse: (text) => (issuerUrl.parse(text) === undefined ? undefined : origin.parse(text)),
};

/** Parses the API URL of a provider. The same rules apply as for an issuer. */
export const providerUrl: VariableParser<string> = {
  allowed: 'an https URL (http only on this machine) without a user name, a question mark or a fragment',
  parse: (text) => issuerUrl.parse(text)?.replace(/\/+$/, ''),
};

/** Parses the label of a sign-in button. */
export const providerName: VariableParser<string> = {
  allowed: '1 to 40 characters without control characters',
  parse: (text) => (/^\P{C}{1,40}$/u.test(text) ? text : undefined),
};

/** Parses issuers whose sign-ins prove a host account: `issuer=kind:host`; each issuer once. */
export const provingIssuers: VariableParser<readonly ProvingIssuer[]> = {
  allowed: `a list of issuer=kind:host, separated by commas, where kind is one of ${ACCOUNT_KINDS.join(', ')}`,
  parse: (text) => {
    const items = text === '' ? [] : text.split(',').map((part) => parseProvingIssuer(part.trim()));
    const known = items.filter((item) => item !== undefined);
    const distinct = new Set(known.map(({ issuer }) => new URL(issuer).href)).size === items.length;
    return distinct ? Object.freeze(known) : undefined;
  },
};

function parseProvingIssuer(text: string): ProvingIssuer | undefined {
  const at = text.lastIndexOf('=');
  const issuer = issuerUrl.parse(text.slice(0, Math.max(0, at)));
  const [, kindText = '', hostText = ''] = /^([a-z_]+):(.+)$/.exec(text.slice(at + 1)) ?? [];
  const [kind, host] = [ACCOUNT_KINDS.find((each) => each === kindText), hostName(hostText)];
  return issuer !== undefined && kind && HOST.test(host) ? { issuer, kind, host } : undefined;
}
