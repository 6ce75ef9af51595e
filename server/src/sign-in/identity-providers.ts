import type { SignInConfig } from '../config/sign-in-config.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createGithubProvider } from './identity-provider-github.ts';
import { createOidcProvider } from './identity-provider-oidc.ts';

/** Where each provider sends browsers back to; one address each, so that no answer passes for another provider's. */
export const CALLBACK_PATHS = { oidc: '/sign-in/callback', github: '/sign-in/callback/github' } as const;

/** The providers that the configuration names, in the order of their buttons; none of them is asked anything yet. */
export function createIdentityProviders(
  { oidc, github, proves }: SignInConfig,
  options: { publicUrl: string; timeoutMs?: number },
): IdentityProvider[] {
  const { publicUrl, ...rest } = options;
  const providers: IdentityProvider[] = [];
  if (oidc) {
    const readsHandle = proves.some(({ issuer }) => new URL(issuer).href === new URL(oidc.issuer).href);
    const callbackUrl = `${publicUrl}${CALLBACK_PATHS.oidc}`;
    providers.push(createOidcProvider(oidc, { callbackUrl, readsHandle, ...rest }));
  }
  if (github) {
    const callbackUrl = `${publicUrl}${CALLBACK_PATHS.github}`;
    providers.push(createGithubProvider(github, { callbackUrl, ...rest }));
  }
  return providers;
}
