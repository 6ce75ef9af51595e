import { Api, Operation } from './client.ts';
import type { Connect } from './directory.ts';

export const connect: Connect = (baseUrl, key) => {
  const { api } = new Api({
    baseUrl,
    securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
  });
  return {
    list: async () => (await api.listAgents({ limit: 2 })).data,
    detail: async (id) => (await api.getAgent(id)).data,
    run: async (request) => (await api.runOperation({ ...request, operation: Operation.AgentScore })).data,
  };
};
