import { createRoutes } from './contract-routes.ts';
import { serializeContract } from './flatten-contract.ts';
import { parseContract } from './parse-contract.ts';
import { digestOf, type PreparedContract } from './prepared-contract.ts';
import { validatorOf } from './validation.ts';

/**
 * Reads and validates a contract, and creates everything that a start needs from it. Rejects an invalid document, a
 * broken reference, or a schema that the validator does not accept. A start with the prepared contract skips these
 * checks.
 */
export async function prepareContract(text: string): Promise<PreparedContract> {
  const { document } = parseContract(text);
  const routes = await createRoutes(document);
  for (const { schema } of routes) {
    for (const [part, each] of Object.entries(schema)) {
      for (const one of part === 'body' ? bodySchemas(each) : [each]) validatorOf(part, one);
    }
  }
  serializeContract(document);
  return { of: digestOf(text), document, routes };
}

/** Returns the schemas of a body, one for each of the body's content types. */
function bodySchemas(body: unknown): unknown[] {
  const { content } = body as { content: Record<string, { schema?: unknown }> };
  return Object.values(content).map(({ schema }) => schema);
}
