/** Which of the ways to sign in with somebody else; the addresses of our own pages name them so. */
const PROVIDER_NAMES = ['oidc', 'github'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** What one attempt to sign in knows, and neither the provider nor a stranger's browser can guess. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who came back from a provider. */
export interface Person {
  /** The provider, in its own spelling. */
  readonly issuer: string;
  /** What the provider gives to nobody else, ever; no name and no address. */
  readonly subject: string;
  /** What the person is called there now; null where the provider was not asked or does not say. */
  readonly handle: string | null;
  /** ISO 8601 UTC; null where the provider does not say. */
  readonly accountCreatedAt: string | null;
}

/** A server that says who somebody is. Both methods throw a SignInFailure. */
export interface IdentityProvider {
  readonly name: ProviderName;
  /** What people call it. */
  readonly label: string;
  /** Where the browser goes. `again` asks the provider not to rely on an earlier sign-in. */
  authorizationUrl(secrets: AttemptSecrets, options: { again: boolean }): Promise<URL>;
  /** Reads what the browser brought back, in the query of our callback's address, and asks the provider about it. */
  identify(query: URLSearchParams, secrets: AttemptSecrets): Promise<Person>;
  close(): Promise<void>;
}
