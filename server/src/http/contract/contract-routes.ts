import Fastify, { type HTTPMethods } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { ContractDocument, ContractRoute } from './contract.ts';

/**
 * The routes of a document, in its order. Rejects where it is no valid OpenAPI. What this loads, and the judging, take as
 * long as half a start: the build does it, and a start only where the contract was changed since.
 */
export async function makeRoutes(document: ContractDocument): Promise<ContractRoute[]> {
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
    // glue adds method, url and schema itself.
    operationResolver: (operationId) => ({ config: { operationId } }) as never,
  });
  await app.close();
  return routes;
}

/**
 * The document without its answers, which go out as they are. The maker of the routes would miss a parser for each type
 * that they have, such as a CSV file's.
 */
function withoutAnswers(document: ContractDocument): Record<string, unknown> {
  const asked = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([key, part]) => [key, withoutResponses(part)])),
  ]);
  return { ...document, paths: Object.fromEntries(asked) };
}

/** An operation without its responses; anything else as it is. */
function withoutResponses(part: unknown): unknown {
  if (!(part instanceof Object && 'responses' in part)) return part;
  const { responses: _answers, ...rest } = part;
  return rest;
}
