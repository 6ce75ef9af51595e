import { type Contract, METHODS } from '../../http/contract/contract.ts';

/** Where the renderer of the reference finds the contract with its code samples. */
export const REFERENCE_PATH = '/docs/openapi.json';

/** The endpoints under one heading of the contract, in its order. */
export interface ReferenceGroup {
  name: string;
  description: string;
  endpoints: { operationId: string; method: string; path: string; summary: string }[];
}

/** Every operation of the contract by its tag, the calls that this service makes (webhooks) too. */
export function indexReference(contract: Pick<Contract, 'document'>): ReferenceGroup[] {
  const { tags = [], paths, webhooks = {} } = contract.document;
  const all = Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const { operationId = '', summary = '', tags: [tag = ''] = [] } = operation;
      return [{ tag, endpoint: { operationId, method: method.toUpperCase(), path, summary } }];
    }),
  );
  return tags.map(({ name, description = '' }) => ({
    name,
    description,
    endpoints: all.filter(({ tag }) => tag === name).map(({ endpoint }) => endpoint),
  }));
}
