import createClient, { type Client } from 'openapi-fetch';
import type { TrustDirectory } from './client.ts';
import { ConfigurationError } from './errors/errors.ts';
import type { paths } from './generated/schema.ts';
import { buildUrl } from './transport/build-url.ts';
import { repeatIfNotDone } from './transport/retry-policy.ts';
import type { Send } from './transport/send-request.ts';

/**
 * Returns a typed openapi-fetch client that sends with the key, retries and deadline of `client`. Its methods resolve
 * to `{ data, error, response }`. Middleware runs once per logical request, not per attempt, and only for the returned
 * client. It is a separate function, so that only programs that use it bundle openapi-fetch.
 *
 * @example
 * const { data, error, response } = await rawOf(client).GET('/api/agents', { params: { query: { q: 'browser' } } });
 */
export function rawOf(client: TrustDirectory): Client<paths> {
  const { baseUrl, send } = client;
  return createClient<paths>({
    baseUrl,
    fetch: (request) => forward(request, send),
    // Rejects ids that would change the path. Every path of the contract has at most one parameter.
    pathSerializer: (url, places) => buildUrl('', url, Object.values(places)[0] as string),
  });
}

/** Sends the request of openapi-fetch and returns the response. */
async function forward(request: Request, send: Send): Promise<Response> {
  const { method, url, headers, signal } = request;
  const body = (await request.text()) || null;
  return send(
    () => {
      // The client's key would replace the caller's, and another account could be charged.
      if (headers.has('authorization'))
        throw new ConfigurationError('Authorization: give the key as apiKey.');
      return { method, url, headers: Object.fromEntries(headers), body };
    },
    ({ response }) => response,
    { signal },
    undefined,
    repeatIfNotDone,
  );
}
