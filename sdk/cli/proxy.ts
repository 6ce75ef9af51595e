import type { EnvHttpProxyAgent } from 'undici';
import type { FetchInit } from '../src/index.ts';
import type { Environment } from './command.ts';
import { CommandError, EXIT } from './exit-code.ts';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

/** `fetch` through a proxy. Accepts the requests of the client and those of the standard `fetch`. */
type ProxiedFetch = (url: string, init: FetchInit | RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that uses the proxy of the environment, except for hosts in `NO_PROXY`; undefined without a proxy.
 * Loads undici only if there is a proxy. Rejects with a {@link CommandError} for an invalid proxy address. The error
 * doesn't show the address, which may contain a password.
 */
export async function fetchThroughProxy(environment: Environment): Promise<ProxiedFetch | undefined> {
  const [httpProxy, httpsProxy, noProxy] = VARIABLES.map(
    (name) => environment[name.toLowerCase()] || environment[name] || '',
  ) as [string, string, string];
  if (!httpProxy && !httpsProxy) return undefined;
  const { EnvHttpProxyAgent } = await import('undici');
  requireAddress(EnvHttpProxyAgent, 'HTTP_PROXY', httpProxy);
  requireAddress(EnvHttpProxyAgent, 'HTTPS_PROXY', httpsProxy);
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
  return (url, init) => fetch(url, { ...init, dispatcher } as unknown as RequestInit);
}

/** Validates an address with undici's own parser. */
function requireAddress(agent: typeof EnvHttpProxyAgent, name: string, httpProxy: string): void {
  if (httpProxy === '') return;
  try {
    new agent({ httpProxy, httpsProxy: httpProxy, noProxy: '' });
  } catch {
    throw new CommandError(
      EXIT.usage,
      `${name} must be a proxy address such as http://proxy.example:3128. Correct or unset it.`,
    );
  }
}
