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
import { createConfiguredFetch } from '../../hosts/client/configured-fetch.ts';
import type { SignInConfig } from '../../platform/config/sign-in-config.ts';
import type { AttemptSecrets, IdentityProvider, Person } from './identity-provider.ts';
import { toSignInFailure } from './identity-provider.ts';
import { SignInFailure } from './sign-in-attempt.ts';

export interface OidcOptions {
  /** URL to which the provider returns the browser. */
  callbackUrl: string;
  /** True to request the person's handle. False where nothing uses the handle, so that less personal data is read. */
  readsHandle: boolean;
  /** Timeout of one request to the provider. */
  timeoutMs?: number;
}

/**
 * Time for which the provider's discovered metadata is cached. It is limited, because a provider may change its
 * endpoints. The provider's signing keys are cached separately, and fetched again if a token names an unknown key.
 */
const DISCOVERED_FOR_MS = 60 * 60 * 1000;
/** Tolerated clock difference to the provider. */
const TOLERANCE_SECONDS = 30;

/**
 * Creates an OpenID Connect provider: authorization code flow with PKCE, state and nonce; validates the ID token's
 * signature, issuer, audience and age. Sends no request before the first sign-in.
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
      // client_secret_basic is the default if a provider lists no methods (OpenID Connect Discovery, 3).
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const takesBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
      return (takesBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret)(server, ...call);
    },
    { execute: [enableNonRepudiationChecks, ...insecure], [customFetch]: fetch },
  );
  requireAddress(configuration.serverMetadata().authorization_endpoint, issuer);
  return configuration;
}

/**
 * Throws SignInFailure unless the authorization endpoint is an https URL; http is allowed if the issuer itself uses
 * http.
 */
function requireAddress(endpoint: string | undefined, issuer: string): void {
  const protocol = URL.parse(endpoint ?? '')?.protocol;
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return;
  throw new SignInFailure('unavailable', 'no_authorization_endpoint');
}

/**
 * Discovers the provider on first use, and again after an hour; concurrent callers share one request. If a later
 * discovery fails, the last metadata remains in use. If the first one fails, throws SignInFailure `unavailable`.
 */
function discoverWhenNeeded(discoverNow: () => Promise<Configuration>): () => Promise<Configuration> {
  let known: { configuration: Configuration; until: number } | null = null;
  let inFlight: Promise<Configuration> | null = null;
  const renew = async () => {
    try {
      const configuration = await discoverNow();
      known = { configuration, until: performance.now() + DISCOVERED_FOR_MS };
      return configuration;
    } catch (error) {
      if (known) return known.configuration;
      // Every failure of the discovery counts as `unavailable`, because the person cannot fix it.
      throw new SignInFailure('unavailable', toSignInFailure(error).reason, { cause: error });
    } finally {
      inFlight = null;
    }
  };
  return () => {
    if (known && performance.now() < known.until) return Promise.resolve(known.configuration);
    inFlight ??= renew();
    return inFlight;
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
  const claimed = handleOf(claims);
  // Many providers return the handle only at their userinfo endpoint, not in the ID token.
  const asked = configuration.serverMetadata().userinfo_endpoint && claimed === null;
  if (!asked) return { ...person, handle: claimed };
  return { ...person, handle: handleOf(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
}

function handleOf(claims: Partial<IDToken>): string | null {
  const { preferred_username: handle } = claims;
  return typeof handle === 'string' && /^[A-Za-z0-9._~-]{1,200}$/.test(handle) ? handle : null;
}
