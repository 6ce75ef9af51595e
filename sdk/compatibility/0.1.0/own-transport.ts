import { type Fetch, type Hooks, logTo, mocked, rawOf, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string, apiKey: string): Promise<unknown> {
  const seen: string[] = [];
  const hooks: Hooks = {
    onRequest: async (request, { attempts }) => void seen.push(`${request.method} ${attempts}`),
    onResponse: (response, { requestId }) => void seen.push(`${response.status} ${requestId}`),
  };
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const logger = { debug: (line: string) => void seen.push(line.includes(apiKey) ? 'leak' : 'logged') };
  const client = new TrustDirectory({ baseUrl, apiKey, fetch, hooks, ...mocked({ code: 200 }) });
  const logging = new TrustDirectory({ baseUrl, apiKey, hooks: logTo(logger) });

  await client.agents.list({}, { signal: AbortSignal.timeout(10_000), timeoutMs: 5_000, maxRetries: 1 });
  await logging.agents.list();
  const { data, error, response } = await rawOf(client).GET('/api/agents/{id}', {
    params: { path: { id: 'AGT-7K2MQ9XD' } },
  });
  return [seen, data?.name, error, response.status];
}

export const expected = [
  ['GET 1', '200 request-1', 'logged', 'GET 1', '200 request-1'],
  'Changelog Agent',
  undefined,
  200,
];
