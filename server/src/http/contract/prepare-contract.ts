import { makeRoutes } from './contract-routes.ts';
import { writeJsonContract } from './flatten-contract.ts';
import { parseContract } from './parse-contract.ts';
import { digestOf, type PreparedContract } from './prepared-contract.ts';
import { validatorOf } from './validation.ts';

/**
 * Reads a contract and makes all that a start needs of it. Rejects where anything of it cannot be used: no valid OpenAPI, a
 * reference to nothing, a schema that the validator does not take. A start that finds it prepared looks for none of that.
 */
export async function prepareContract(text: string): Promise<PreparedContract> {
  const { document } = parseContract(text);
  const routes = await makeRoutes(document);
  for (const { schema } of routes) {
    for (const [part, each] of Object.entries(schema)) {
      for (const one of part === 'body' ? bodySchemas(each) : [each]) validatorOf(part, one);
    }
  }
  writeJsonContract(document);
  return { of: digestOf(text), document, routes };
}

/** A body has a schema for each of its types. */
function bodySchemas(body: unknown): unknown[] {
  const { content } = body as { content: Record<string, { schema?: unknown }> };
  return Object.values(content).map(({ schema }) => schema);
}
