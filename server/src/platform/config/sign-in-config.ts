import type { Values } from './settings.ts';

/** Sign-in methods in addition to links from the command line. */
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

/** Builds the sign-in configuration from the variables. All variables of a configured provider are set by then. */
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
            /** Base URL without a trailing slash. */
            apiUrl: values.GITHUB_OAUTH_API_URL ?? githubApi(url),
            clientId: githubId,
            clientSecret: values.GITHUB_CLIENT_SECRET ?? '',
          }),
    /** Sign-in of a person without an account: `open` creates a free account. */
    signUp: values.SIGN_UP,
    proves: values.SIGN_IN_PROVES,
  });
}

/** Returns the API URL of GitHub, or of a GitHub Enterprise server, which has the API under a path. */
function githubApi(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
