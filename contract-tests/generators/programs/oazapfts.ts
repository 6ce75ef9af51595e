import { ok } from '@oazapfts/runtime';
import { getAgent, listAgents, runOperation } from './client.ts';
import type { Connect } from './directory.ts';

export const connect: Connect = (baseUrl, key) => ({
  list: () => ok(listAgents({ limit: 2 }, { baseUrl })),
  detail: (id) => ok(getAgent(id, {}, { baseUrl })),
  run: (request) => ok(runOperation(request, { baseUrl, headers: { Authorization: `Bearer ${key}` } })),
});
