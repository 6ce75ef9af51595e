import Fastify, { type HTTPMethods } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { ContractDocument, ContractRoute } from './contract.ts';
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

/**
 * Creates the routes of a document, in the document's order. Rejects an invalid OpenAPI document. The build calls this
 * function; a start does so only if the contract has changed since the build. Loading fastify-openapi-glue, which
 * generates the routes, and validating the document take half the time of a start.
 */
export async function createRoutes(document: ContractDocument): Promise<ContractRoute[]> {
  const routes: ContractRoute[] = [];
  const app = Fastify({ exposeHeadRoutes: false });
  app.addHook('onRoute', ({ method, url, schema = {}, config }) => {
    const { params, querystring, headers, body } = schema;
    const parts = Object.entries({ params, querystring, headers, body }).filter(([, part]) => part);
    const operationId = config?.operationId ?? '';
    routes.push({ operationId, method: method as HTTPMethods, url, schema: Object.fromEntries(parts) });
  });
  await app.register(openapiGlue, {
    specification: withoutAnswers(document),
    // openapi-glue itself adds method, url and schema.
    operationResolver: (operationId) => ({ config: { operationId } }) as never,
  });
  await app.close();
  return routes;
}

/**
 * Removes the responses from the document. The server sends responses without validating them, and openapi-glue would
 * require a parser for each of their types, such as CSV.
 */
function withoutAnswers(document: ContractDocument): Record<string, unknown> {
  const asked = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([key, part]) => [key, withoutResponses(part)])),
  ]);
  return { ...document, paths: Object.fromEntries(asked) };
}

/** Removes the responses of an operation; returns anything else unchanged. */
function withoutResponses(part: unknown): unknown {
  if (!(part instanceof Object && 'responses' in part)) return part;
  const { responses: _answers, ...rest } = part;
  return rest;
}
