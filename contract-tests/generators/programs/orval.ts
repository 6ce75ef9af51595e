import { getAgent, listAgents, runOperation } from './client.ts';
import type { Connect } from './directory.ts';

export const connect: Connect = (baseURL, key) => ({
  list: async () => (await listAgents({ limit: 2 }, { baseURL })).data,
  detail: async (id) => (await getAgent(id, { baseURL })).data,
  run: async (request) =>
    (await runOperation(request, { baseURL, headers: { Authorization: `Bearer ${key}` } })).data,
});
