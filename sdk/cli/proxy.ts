import type { EnvHttpProxyAgent } from 'undici';
import type { Fetch } from '../src/index.ts';
import type { Environment } from './command.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

/**
 * A `fetch` that goes through the proxy that the environment names, except to hosts that `NO_PROXY` lists; undefined where it
 * names none. undici is loaded only if there is a proxy. Rejects with a {@link CommandError} for an address that can't be one;
 * its message doesn't show the address, which may hold a password.
 */
export async function fetchThroughProxy(environment: Environment): Promise<Fetch | undefined> {
  const [httpProxy, httpsProxy, noProxy] = VARIABLES.map(
    (name) => environment[name.toLowerCase()] || environment[name] || '',
  ) as [string, string, string];
  if (!httpProxy && !httpsProxy) return undefined;
  const { EnvHttpProxyAgent } = await import('undici');
  requireAddress(EnvHttpProxyAgent, 'HTTP_PROXY', httpProxy);
  requireAddress(EnvHttpProxyAgent, 'HTTPS_PROXY', httpsProxy);
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
  return (request) => fetch(request, { dispatcher } as RequestInit);
}

/** Lets the agent judge the address as it will read it. */
function requireAddress(agent: typeof EnvHttpProxyAgent, name: string, httpProxy: string): void {
  if (httpProxy === '') return;
  try {
    new agent({ httpProxy, httpsProxy: httpProxy, noProxy: '' });
  } catch {
    throw new CommandError(
      EXIT.usage,
      `${name} must be the address of a proxy, such as http://proxy.example:3128. Correct it, or unset it to go without a proxy.`,
    );
  }
}
