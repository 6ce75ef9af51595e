import type { SignInConfig } from '../../platform/config/sign-in-config.ts';
import type { IdentityProvider } from './identity-provider.ts';

/**
 * Callback paths. Each provider has its own path, so that the answer of one provider is never mistaken for the answer
 * of another.
 */
export const CALLBACK_PATHS = { oidc: '/sign-in/callback', github: '/sign-in/callback/github' } as const;

/** Creates the configured providers in the order of their buttons. Loads only their modules and sends no request. */
export async function createIdentityProviders(
  { oidc, github, proves }: SignInConfig,
  options: { publicUrl: string; timeoutMs?: number },
): Promise<IdentityProvider[]> {
  const { publicUrl, ...rest } = options;
  const providers: IdentityProvider[] = [];
  if (oidc) {
    const readsHandle = proves.some(({ issuer }) => new URL(issuer).href === new URL(oidc.issuer).href);
    const callbackUrl = `${publicUrl}${CALLBACK_PATHS.oidc}`;
    const { createOidcProvider } = await import('./identity-provider-oidc.ts');
    providers.push(createOidcProvider(oidc, { callbackUrl, readsHandle, ...rest }));
  }
  if (github) {
    const callbackUrl = `${publicUrl}${CALLBACK_PATHS.github}`;
    const { createGithubProvider } = await import('./identity-provider-github.ts');
    providers.push(createGithubProvider(github, { callbackUrl, ...rest }));
  }
  return providers;
}
