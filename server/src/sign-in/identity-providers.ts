import type { SignInConfig } from '../config/sign-in-config.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Where each provider sends browsers back to; one address each, so that no answer passes for another provider's. */
export const CALLBACK_PATHS = { oidc: '/sign-in/callback', github: '/sign-in/callback/github' } as const;

/**
 * The providers that the configuration names, loaded only where it does, in the order of their buttons; none of them is asked anything
 * yet.
 */
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
