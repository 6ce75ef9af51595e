import type { Values } from './settings.ts';
import type { ProvingIssuer } from './sign-in-kinds.ts';

/** How people can sign in beside the links of the command line. */
export interface SignInConfig {
  readonly oidc: {
    /** As the provider spells it. */
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** What the button calls it. */
    readonly name: string;
  } | null;
  readonly github: {
    /** An origin. */
    readonly url: string;
    /** Without a slash at its end. */
    readonly apiUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  } | null;
  /** What becomes of a person whom nobody has given an account: `open` makes a free one. */
  readonly signUp: 'closed' | 'open';
  readonly proves: readonly ProvingIssuer[];
}

/** What each of a group of variables needs beside itself. */
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

/** A sentence for each half of a configuration: which variable is missing, and which one needs it. */
export function problemsOfSignIn(set: ReadonlyMap<string, string>): string[] {
  const missing = new Map<string, string>();
  for (const [present, needed] of Object.entries(NEEDS)) {
    if (!set.has(present)) continue;
    for (const name of needed) if (!set.has(name) && !missing.has(name)) missing.set(name, present);
  }
  const problems = [...missing].map(
    ([name, present]) => `${name} is missing: ${present} is set, which needs it.`,
  );
  const hasProvider = set.has('OIDC_ISSUER') || set.has('GITHUB_CLIENT_ID');
  if (set.get('SIGN_UP') === 'open' && !hasProvider) {
    problems.push(
      'SIGN_UP is open, but nobody can sign up without an identity provider: set OIDC_ISSUER or GITHUB_CLIENT_ID too.',
    );
  }
  return problems;
}

/**
 * A sentence for two providers whose people could not be told apart, and for each issuer that is said to prove something and
 * that nobody signs in with.
 */
export function problemsOfIssuers({ oidc, github, proves }: SignInConfig): string[] {
  const known = [oidc?.issuer, github?.url].flatMap((url) => (url === undefined ? [] : [new URL(url).href]));
  const problems = proves
    .filter(({ issuer }) => !known.includes(new URL(issuer).href))
    .map(
      ({ issuer }) =>
        `SIGN_IN_PROVES names ${issuer}, but nobody signs in with it: set OIDC_ISSUER or GITHUB_CLIENT_ID.`,
    );
  // A person is an issuer and a subject: one of GitHub's numbers may be another person's subject over OpenID Connect.
  if (known.length === 2 && known[0] === known[1]) {
    problems.push(
      `OIDC_ISSUER and GITHUB_OAUTH_URL are both ${oidc?.issuer}: sign people in with it in one of the two ways.`,
    );
  }
  return problems;
}

/** The sign-in that the variables describe; those of a provider are there together. */
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

/** GitHub's own interface has a host of its own; an Enterprise server has it under a path. */
function githubApi(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
