import { ACCOUNT_KINDS, type AccountKind, hostName } from './known-hosts.ts';
import { origin, type VariableParser } from './parsers.ts';
import type { Values } from './settings.ts';

/**
 * Identity provider whose sign-ins prove that a person owns an account on a host; `kind` and `host` are those of this
 * account.
 */
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

/** Sign-in methods in addition to the links that `sign-in-link` prints. */
export type SignInConfig = ReturnType<typeof toSignIn>;

/** Returns a sentence if signing up is open but no provider is configured. */
export function problemsOfSignUp(set: ReadonlyMap<string, string>): string[] {
  const hasProvider = set.has('OIDC_ISSUER') || set.has('GITHUB_CLIENT_ID');
  if (set.get('SIGN_UP') !== 'open' || hasProvider) return [];
  return [
    'SIGN_UP is open, but signing up requires an identity provider: set OIDC_ISSUER or GITHUB_CLIENT_ID too.',
  ];
}

/**
 * Returns one sentence for each issuer in SIGN_IN_PROVES that is not a configured provider, and one if two providers
 * have the same issuer.
 */
export function problemsOfIssuers({ oidc, github, proves }: SignInConfig): string[] {
  const known = [oidc?.issuer, github?.url].flatMap((url) => (url === undefined ? [] : [new URL(url).href]));
  const problems = proves
    .filter(({ issuer }) => !known.includes(new URL(issuer).href))
    .map(
      ({ issuer }) =>
        `SIGN_IN_PROVES names ${issuer}, which is not a configured sign-in provider: set OIDC_ISSUER or GITHUB_CLIENT_ID.`,
    );
  // A person is identified by issuer and subject. With one issuer for both providers, a GitHub account number could be
  // another person's OpenID Connect subject.
  if (known.length === 2 && known[0] === known[1]) {
    problems.push(
      `OIDC_ISSUER and GITHUB_OAUTH_URL are both ${oidc?.issuer}: configure it in one of the two ways.`,
    );
  }
  return problems;
}

/**
 * Builds the sign-in configuration from the variables. `loadConfig` has checked before that all variables of a
 * configured provider are set.
 */
export function toSignIn(values: Values) {
  const { OIDC_ISSUER: issuer, GITHUB_CLIENT_ID: githubId, GITHUB_OAUTH_URL: url } = values;
  return Object.freeze({
    oidc:
      issuer === null
        ? null
        : Object.freeze({
            /** Issuer exactly as the provider spells it. */
            issuer,
            clientId: values.OIDC_CLIENT_ID ?? '',
            clientSecret: values.OIDC_CLIENT_SECRET ?? '',
            /** Label of the sign-in button. */
            name: values.OIDC_NAME ?? new URL(issuer).hostname,
          }),
    github:
      githubId === null
        ? null
        : Object.freeze({
            /** Base origin of the OAuth provider. */
            url,
            /** Base URL of the provider's API, without a trailing slash. */
            apiUrl: values.GITHUB_OAUTH_API_URL ?? githubApi(url),
            clientId: githubId,
            clientSecret: values.GITHUB_CLIENT_SECRET ?? '',
          }),
    /** First sign-in of a person without an account: `open` creates a free account, `closed` refuses the sign-in. */
    signUp: values.SIGN_UP,
    proves: values.SIGN_IN_PROVES,
  });
}

/** Returns the API URL of GitHub, or of a GitHub Enterprise server, which has the API under a path. */
function githubApi(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
