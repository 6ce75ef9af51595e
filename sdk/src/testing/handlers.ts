import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import { routes } from '../generated/contract-examples.ts';
import type { components } from '../generated/schema.ts';
import type { HeadersInput } from '../transport/client-options.ts';
import type { Endpoint } from './answer.ts';
import {
  type Changes,
  type ExampleBody,
  type ExampleName,
  example,
  exampleNames,
  findAnswer,
} from './example.ts';

/** Options of a reply. */
export interface ReplyOptions<Body> {
  /** Changes to the contract's example. */
  changes?: Changes<Body> | undefined;
  /** Headers that override those of the example, such as `{ 'Retry-After': '0' }`. */
  headers?: HeadersInput | undefined;
  /** Milliseconds before the response. Default: 0. */
  delayMs?: number | undefined;
  /** Handles only the next call; later calls go to previously added handlers. Default: false. */
  once?: boolean | undefined;
}

/**
 * Creates an MSW handler that responds to an endpoint, on any host, with an example of the contract.
 *
 * @example
 * server.use(reply('runOperation', 'insufficient_credits'));
 * @example
 * server.use(reply('getAgent', 'unavailable', { headers: { 'Retry-After': '0' }, once: true }));
 */
export function reply<Name extends Endpoint, const Example extends ExampleName<Name>>(
  endpoint: Name,
  name: Example,
  { changes, headers, delayMs = 0, once = false }: ReplyOptions<ExampleBody<Name, Example>> = {},
): HttpHandler {
  const body = example(endpoint, name, changes);
  return onCall(endpoint, { once }, async () => {
    if (delayMs > 0) await delay(delayMs);
    return responseOf(endpoint, name, body, headers);
  });
}

/**
 * Creates one MSW handler per endpoint, for a service on which every call succeeds: `setupServer(...handlers())`. Lists
 * have two pages. An operation responds with the example of its name or of a dry run, and with a replay if its
 * idempotency key is repeated.
 *
 * @example
 * server.use(...handlers());
 */
export function handlers(): HttpHandler[] {
  const settled = new Set<string>();
  return (Object.keys(routes) as Endpoint[]).map((endpoint) =>
    onCall(endpoint, {}, async (request) => {
      if (endpoint === 'runOperation') return runAnswer(await request.json(), settled);
      const name = usualExample(endpoint, request);
      return responseOf(endpoint, name, findAnswer(endpoint, name).body);
    }),
  );
}

type Answering = (request: Request) => Promise<Response>;

function onCall(endpoint: Endpoint, options: { once?: boolean }, answering: Answering): HttpHandler {
  const { method, path } = routes[endpoint];
  const anywhere = `*${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return http[method](anywhere, ({ request }) => answering(request), options);
}

function responseOf(endpoint: Endpoint, name: string, body: unknown, more?: HeadersInput): Response {
  const { status, headers } = findAnswer(endpoint, name);
  const init = { status, headers: { ...headers, ...Object.fromEntries(new Headers(more as HeadersInit)) } };
  // A null body means none (204, 304). A string is a file with its own content type.
  if (body === null || typeof body === 'string') return new HttpResponse(body, init);
  return HttpResponse.json(body as object, init);
}

/**
 * Returns the name of the example that answers a successful call. For a list, it is the requested page. Otherwise it is
 * the example of a 201 or, without one, the first example.
 */
function usualExample(endpoint: Endpoint, request: Request): string {
  const names = exampleNames(endpoint);
  const page = new URL(request.url).searchParams.has('cursor') ? 'last_page' : 'with_next_page';
  if (names.includes(page)) return page;
  const created = names.find((name) => findAnswer(endpoint, name).status === 201);
  return created ?? names[0] ?? '';
}

type RunBody = components['schemas']['RunOperationRequest'];

function runAnswer(
  { operation, idempotency_key: key, dry_run: isDry }: RunBody,
  settled: Set<string>,
): Response {
  if (isDry) return responseOf('runOperation', 'dry_run', example('runOperation', 'dry_run', { operation }));
  if (settled.has(key))
    return responseOf('runOperation', 'replay', example('runOperation', 'replay', { operation }));
  settled.add(key);
  return responseOf('runOperation', operation, example('runOperation', operation));
}
