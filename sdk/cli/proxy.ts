import type { Fetch } from '../src/index.ts';
import type { Environment } from './command.ts';

/**
 * A `fetch` that goes through the proxy that the environment names, except to hosts that `NO_PROXY` lists; undefined where it
 * names none. undici is loaded only if there is a proxy.
 */
export async function fetchThroughProxy(environment: Environment): Promise<Fetch | undefined> {
  const [httpProxy = '', httpsProxy = '', noProxy = ''] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(
    (name) => environment[name.toLowerCase()] || environment[name] || '',
  );
  if (!httpProxy && !httpsProxy) return undefined;
  const { EnvHttpProxyAgent } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
  return (request) => fetch(request, { dispatcher } as RequestInit);
}
