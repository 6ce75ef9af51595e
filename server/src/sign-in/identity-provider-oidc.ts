import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import type { SignInConfig } from '../config/sign-in-config.ts';
import { createConfiguredFetch } from '../outbound/configured-fetch.ts';
import type { AttemptSecrets, IdentityProvider, Person } from './identity-provider.ts';
import { toSignInFailure } from './identity-provider-errors.ts';
import { SignInFailure } from './sign-in-failure.ts';

export interface OidcOptions {
  /** Where the provider sends the browser back to. */
  callbackUrl: string;
  /** Whether to ask what the person is called there: nothing is asked that is not used. */
  readsHandle: boolean;
  /** Of one call of the provider. */
  timeoutMs?: number;
}

/** A provider may change its addresses and what it takes; its keys are read anew whenever an unknown one is met. */
const DISCOVERED_FOR_MS = 60 * 60 * 1000;
/** Clocks differ. */
const TOLERANCE_SECONDS = 30;

/**
 * A provider of OpenID Connect: authorization code with PKCE, state and nonce; the ID token's signature, issuer, audience
 * and age are checked. Nothing is asked of the provider before somebody wants to sign in.
 */
export function createOidcProvider(
  oidc: NonNullable<SignInConfig['oidc']>,
  options: OidcOptions,
): IdentityProvider {
  const out = createConfiguredFetch(options);
  const discovered = discoverWhenNeeded(() => discover(oidc, out.fetch));
  const scope = options.readsHandle ? 'openid profile' : 'openid';
  return {
    name: 'oidc',
    label: oidc.name,
    async authorizationUrl({ state, nonce, codeVerifier }, { again }) {
      const configuration = await discovered();
      const challenge = await calculatePKCECodeChallenge(codeVerifier);
      return buildAuthorizationUrl(configuration, {
        redirect_uri: options.callbackUrl,
        scope,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login' } : {}),
      });
    },
    async identify(query, secrets) {
      const configuration = await discovered();
      try {
        return await identify(configuration, new URL(`${options.callbackUrl}?${query}`), secrets, options);
      } catch (error) {
        throw toSignInFailure(error);
      }
    },
    close: () => out.close(),
  };
}

async function discover(
  { issuer, clientId, clientSecret }: NonNullable<SignInConfig['oidc']>,
  fetch: ReturnType<typeof createConfiguredFetch>['fetch'],
): Promise<Configuration> {
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [clockTolerance]: TOLERANCE_SECONDS },
    (server, ...call) => {
      // Basic is what a provider takes that names no method (OpenID Connect Discovery, 3).
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const takesBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
      return (takesBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret)(server, ...call);
    },
    { execute: [enableNonRepudiationChecks, ...insecure], [customFetch]: fetch },
  );
  requireAddress(configuration.serverMetadata().authorization_endpoint, issuer);
  return configuration;
}

/** Browsers are sent there: an address of the web, and as safe as the issuer's. */
function requireAddress(endpoint: string | undefined, issuer: string): void {
  const protocol = URL.parse(endpoint ?? '')?.protocol;
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return;
  throw new SignInFailure('unavailable', 'no_authorization_endpoint');
}

/** Discovers at the first need, once for all who wait, and again after an hour; the last good answer outlives a failure. */
function discoverWhenNeeded(discoverNow: () => Promise<Configuration>): () => Promise<Configuration> {
  let known: { configuration: Configuration; until: number } | null = null;
  let underWay: Promise<Configuration> | null = null;
  const renew = async () => {
    try {
      const configuration = await discoverNow();
      known = { configuration, until: performance.now() + DISCOVERED_FOR_MS };
      return configuration;
    } catch (error) {
      if (known) return known.configuration;
      // Whatever is wrong with what a provider says of itself, no person can mend it.
      throw new SignInFailure('unavailable', toSignInFailure(error).reason, { cause: error });
    } finally {
      underWay = null;
    }
  };
  return () => {
    if (known && performance.now() < known.until) return Promise.resolve(known.configuration);
    underWay ??= renew();
    return underWay;
  };
}

async function identify(
  configuration: Configuration,
  callback: URL,
  { state, nonce, codeVerifier }: AttemptSecrets,
  { readsHandle }: OidcOptions,
): Promise<Person> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new SignInFailure('refused', 'no_id_token');
  const person = { issuer: claims.iss, subject: claims.sub, accountCreatedAt: null };
  if (!readsHandle) return { ...person, handle: null };
  const told = handleOf(claims);
  // Many providers tell what a person is called at their userinfo endpoint only.
  const asked = configuration.serverMetadata().userinfo_endpoint && told === null;
  if (!asked) return { ...person, handle: told };
  return { ...person, handle: handleOf(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
}

function handleOf(claims: Partial<IDToken>): string | null {
  const { preferred_username: handle } = claims;
  return typeof handle === 'string' && /^[A-Za-z0-9._~-]{1,200}$/.test(handle) ? handle : null;
}
