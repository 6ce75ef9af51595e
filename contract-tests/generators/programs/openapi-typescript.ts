import createClient from 'openapi-fetch';
import type { paths } from './client.ts';
import type { Connect } from './directory.ts';

/**
 * Returns the data of a successful call and throws otherwise. The generator makes types only; openapi-fetch is the client for
 * them.
 */
async function dataOf<Data>(call: Promise<{ data?: Data; response: Response }>): Promise<Data> {
  const { data, response } = await call;
  if (data === undefined) throw new Error(`the answer is a ${response.status}`);
  return data;
}

export const connect: Connect = (baseUrl, key) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  return {
    list: () => dataOf(client.GET('/api/agents', { params: { query: { limit: 2 } } })),
    detail: (id) => dataOf(client.GET('/api/agents/{id}', { params: { path: { id } } })),
    run: (body) => dataOf(client.POST('/api/svc/operations/run', { body })),
  };
};
