import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
} from 'openid-client';
import { createConfiguredFetch, type FetchCall } from '../../hosts/client/configured-fetch.ts';
import { cleanTime } from '../../hosts/untrusted-answers.ts';
import type { SignInConfig } from '../../platform/config/sign-in-config.ts';
import type { IdentityProvider, Person } from './identity-provider.ts';
import { toSignInFailure } from './identity-provider.ts';
import { SignInFailure } from './sign-in-attempt.ts';

type GithubConfig = NonNullable<SignInConfig['github']>;

export interface GithubOptions {
  /** URL to which GitHub returns the browser. */
  callbackUrl: string;
  /** Timeout of one request to GitHub. */
  timeoutMs?: number;
}

const LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/;

/**
 * Creates the GitHub provider. GitHub supports OAuth 2 but not OpenID Connect, so this uses the authorization code flow
 * with PKCE and state, then requests the user. Identifies a person by GitHub's user id, because GitHub may give a
 * login, but not an id, to another person later. The access token has no scopes and is not stored.
 */
export function createGithubProvider(github: GithubConfig, options: GithubOptions): IdentityProvider {
  const out = createConfiguredFetch(options);
  const configuration = configure(github, out.fetch);
  return {
    name: 'github',
    label: 'GitHub',
    async authorizationUrl({ state, codeVerifier }, { again }) {
      return buildAuthorizationUrl(configuration, {
        redirect_uri: options.callbackUrl,
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'select_account' } : {}),
      });
    },
    async identify(query, { state, codeVerifier }) {
      const callback = new URL(`${options.callbackUrl}?${query}`);
      // GitHub uses several issuer names, so `iss` is not checked. No other provider has this callback URL.
      callback.searchParams.delete('iss');
      try {
        const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
        const { access_token: token } = await authorizationCodeGrant(configuration, callback, checks);
        return readPerson(await out.fetch(`${github.apiUrl}/user`, asUser(token)), github.url);
      } catch (error) {
        throw toSignInFailure(error);
      }
    },
    close: () => out.close(),
  };
}

function configure(
  { url, clientId, clientSecret }: GithubConfig,
  fetch: ReturnType<typeof createConfiguredFetch>['fetch'],
): Configuration {
  const server = {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
  };
  const configuration = new Configuration(server, clientId, {}, ClientSecretPost(clientSecret));
  configuration[customFetch] = async (address, call) => withStatus(await fetch(address, call as FetchCall));
  if (url.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
}

/**
 * Converts GitHub's error answers to the form of the OAuth standard. GitHub sends errors with status 200, and a
 * non-standard error code for an invalid authorization code.
 */
async function withStatus(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer;
  const text = await answer.text();
  const { error } = parse(text);
  if (typeof error !== 'string') return new Response(text, answer);
  const code = error === 'bad_verification_code' ? 'invalid_grant' : error;
  return Response.json({ error: code }, { status: 400 });
}

function asUser(token: string): FetchCall {
  return { headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' } };
}

async function readPerson(answer: Response, issuer: string): Promise<Person> {
  if (answer.status !== 200) throw new SignInFailure('unavailable', `user_${answer.status}`);
  const { id, login, created_at: created } = parse(await answer.text());
  if (!Number.isSafeInteger(id) || (id as number) <= 0)
    throw new SignInFailure('unavailable', 'user_without_id');
  return {
    issuer,
    subject: String(id),
    handle: typeof login === 'string' && LOGIN.test(login) ? login : null,
    accountCreatedAt: typeof created === 'string' ? cleanTime(created) : null,
  };
}

/** Parses a JSON object; returns an empty one for other values. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
