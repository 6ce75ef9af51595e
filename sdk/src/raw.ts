import createClient, { type Client } from 'openapi-fetch';
import type { TrustDirectory } from './client.ts';
import { ConfigurationError } from './errors/errors.ts';
import type { paths } from './generated/schema.ts';
import { readable } from './transport/exchange.ts';
import type { Send } from './transport/send.ts';
import { urlOf } from './transport/urls.ts';

/**
 * A typed openapi-fetch client that sends as the methods do: with the same key, retries and deadline. It answers
 * `{ data, error, response }` and takes middleware, which sees each logical request once. A function of its own, so that
 * programs without it don't load openapi-fetch. Each call of it makes a client with middleware of its own.
 *
 * @example
 * const { data, error, response } = await rawOf(client).GET('/api/agents', { params: { query: { q: 'browser' } } });
 */
export function rawOf(client: TrustDirectory): Client<paths> {
  const { baseUrl, send } = client;
  return createClient<paths>({
    baseUrl,
    fetch: (request) => forward(request, send),
    // Refuses ids that would lead elsewhere, as the methods do. No path of the contract has two places.
    pathSerializer: (url, places) => urlOf('', url, Object.values(places)[0] as string),
  });
}

/** Sends a built request as a message, and makes what came back a response again. */
async function forward(request: Request, send: Send): Promise<Response> {
  const { method, url, headers, signal } = request;
  const body = (await request.text()) || null;
  return send(
    (trace) => {
      // Overwriting the caller's with the client's key would charge another account than the caller named.
      if (headers.has('authorization'))
        throw new ConfigurationError('Authorization: give the key as apiKey.', trace);
      return { method, url, headers: Object.fromEntries(headers), body };
    },
    readable,
    { signal },
  );
}
