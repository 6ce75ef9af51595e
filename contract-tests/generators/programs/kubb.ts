import { getAgent } from './client/clients/getAgent.ts';
import { listAgents } from './client/clients/listAgents.ts';
import { runOperation } from './client/clients/runOperation.ts';
import type { Connect } from './directory.ts';

export const connect: Connect = (baseURL, key) => ({
  list: () => listAgents({ limit: 2 }, {}, { baseURL }),
  detail: (id) => getAgent(id, {}, { baseURL }),
  run: (request) => runOperation(request, { baseURL, headers: { Authorization: `Bearer ${key}` } }),
});
