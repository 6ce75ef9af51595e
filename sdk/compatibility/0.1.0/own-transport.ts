import { type Fetch, type Hooks, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string, apiKey: string): Promise<unknown> {
  const seen: string[] = [];
  const hooks: Hooks = {
    onRequest: (request, { attempts }) => void seen.push(`${request.method} ${attempts}`),
    onResponse: (response, { requestId }) => void seen.push(`${response.status} ${requestId}`),
  };
  const fetch: Fetch = (request) => globalThis.fetch(request);
  const logger = { debug: (line: string) => void seen.push(line.includes(apiKey) ? 'leak' : 'logged') };
  const client = new TrustDirectory({ baseUrl, apiKey, fetch, hooks, logger, mock: { code: 200 } });

  await client.agents.list({}, { signal: AbortSignal.timeout(10_000), timeoutMs: 5_000, maxRetries: 1 });
  const { data, error, response } = await client.raw.GET('/api/agents/{id}', {
    params: { path: { id: 'AGT-7K2MQ9XD' } },
  });
  return [seen, data?.name, error, response.status];
}

export const expected = [
  ['GET 1', '200 request-1', 'logged', 'GET 1', '200 request-1', 'logged'],
  'Changelog Agent',
  undefined,
  200,
];
