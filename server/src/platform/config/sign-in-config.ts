import type { Values } from './settings.ts';
import type { ProvingIssuer } from './sign-in-parsers.ts';

/** Sign-in methods in addition to links from the command line. */
export interface SignInConfig {
  readonly oidc: {
    /** Issuer exactly as the provider spells it. */
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** Label of the sign-in button. */
    readonly name: string;
  } | null;
  readonly github: {
    /** Base origin of the OAuth provider. */
    readonly url: string;
    /** Base URL without a trailing slash. */
    readonly apiUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  } | null;
  /** Handling of people without an account; `open` creates a free one. */
  readonly signUp: 'closed' | 'open';
  readonly proves: readonly ProvingIssuer[];
}

/** Variables that each variable requires. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_ID: ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_SECRET: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  OIDC_NAME: ['OIDC_ISSUER'],
  GITHUB_CLIENT_ID: ['GITHUB_CLIENT_SECRET'],
  GITHUB_CLIENT_SECRET: ['GITHUB_CLIENT_ID'],
  GITHUB_OAUTH_URL: ['GITHUB_CLIENT_ID'],
  GITHUB_OAUTH_API_URL: ['GITHUB_OAUTH_URL'],
};

/** Returns one sentence for each variable that a configured sign-in method lacks. */
export function problemsOfSignIn(set: ReadonlyMap<string, string>): string[] {
  const missing = new Map<string, string>();
  for (const [present, needed] of Object.entries(NEEDS)) {
    if (!set.has(present)) continue;
    for (const name of needed) if (!set.has(name) && !missing.has(name)) missing.set(name, present);
  }
  const problems = [...missing].map(
    ([name, present]) => `${name} is missing: ${present} is set and requires it.`,
  );
  const hasProvider = set.has('OIDC_ISSUER') || set.has('GITHUB_CLIENT_ID');
  if (set.get('SIGN_UP') === 'open' && !hasProvider) {
    problems.push(
      'SIGN_UP is open, but signing up requires an identity provider: set OIDC_ISSUER or GITHUB_CLIENT_ID too.',
    );
  }
  return problems;
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
  // A person is identified by issuer and subject: a GitHub account number may be another person's OpenID Connect
  // subject.
  if (known.length === 2 && known[0] === known[1]) {
    problems.push(
      `OIDC_ISSUER and GITHUB_OAUTH_URL are both ${oidc?.issuer}: configure it in one of the two ways.`,
    );
  }
  return problems;
}

/** Builds the sign-in configuration from the variables; those of a provider are complete by then. */
export function toSignIn(values: Values): SignInConfig {
  const { OIDC_ISSUER: issuer, GITHUB_CLIENT_ID: githubId, GITHUB_OAUTH_URL: url } = values;
  return Object.freeze({
    oidc:
      issuer === null
        ? null
        : Object.freeze({
            issuer,
            clientId: values.OIDC_CLIENT_ID ?? '',
            clientSecret: values.OIDC_CLIENT_SECRET ?? '',
            name: values.OIDC_NAME ?? new URL(issuer).hostname,
          }),
    github:
      githubId === null
        ? null
        : Object.freeze({
            url,
            apiUrl: values.GITHUB_OAUTH_API_URL ?? githubApi(url),
            clientId: githubId,
            clientSecret: values.GITHUB_CLIENT_SECRET ?? '',
          }),
    signUp: values.SIGN_UP,
    proves: values.SIGN_IN_PROVES,
  });
}

/** Returns the API URL of GitHub, or of an Enterprise server, which has it under a path. */
function githubApi(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
