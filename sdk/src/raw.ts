import type { Client } from 'openapi-fetch';
import type { paths } from './generated/schema.ts';
import type { Send } from './send.ts';

const METHODS = [
  'request',
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
  'use',
  'eject',
];

/**
 * The openapi-fetch client over the same sending as the methods: what it sends is repeated beneath its middleware. It is
 * loaded when it is first used, so that programs without it don't pay for it.
 */
export function rawClient(baseUrl: string, send: Send): Client<paths> {
  let loading: Promise<Record<string, (...args: unknown[]) => unknown>> | undefined;
  const load = () => {
    loading ??= import('openapi-fetch').then(({ default: createClient }) => {
      return createClient<paths>({ baseUrl, fetch: (request) => forward(request, send) }) as never;
    });
    return loading;
  };
  const methods = METHODS.map((name) => [
    name,
    async (...args: unknown[]) => (await load())[name]?.(...args),
  ]);
  return Object.fromEntries(methods);
}

/** Sends a built request as a message, and makes what came back a response again. */
async function forward(request: Request, send: Send): Promise<Response> {
  const { method, url, headers, signal } = request;
  const body = (await request.text()) || null;
  const { answer, status, text } = await send(
    { method, url, headers: Object.fromEntries(headers), body },
    { signal },
  );
  return new Response(text || null, { status, headers: answer.headers });
}
