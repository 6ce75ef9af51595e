import type { FastifySchema, HTTPMethods } from 'fastify';
import { extensionProblems, undescribedExtensions } from './operation-extensions.ts';

/** Methods that an operation of the contract may have. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export interface ContractOperation {
  operationId: string;
  method: string;
  path: string;
  /** Names of the security schemes that protect it; empty for a public operation. */
  schemes: string[];
  /** Scopes that an access key needs for it; none where the body decides. */
  scopes: string[];
  /** The query parameters it takes, by name, with the type that their text stands for. */
  query: Record<string, string>;
  /** False: whatever body comes is refused. */
  takesBody: boolean;
  /** Its calls cost credits: it has a price list. */
  metered: boolean;
  /** The statement that does its work judges the credential too; nobody does before. */
  judgesCredential: boolean;
  /** Its answers hold what is asked for, with its relatives, and neither order nor count by score. */
  unranked: boolean;
  /** What it says beside OpenAPI's own words, by names that begin with `x-`. */
  extensions: Readonly<Record<string, unknown>>;
}

/** What a route needs of an operation: where it is, and the schemas of what is asked. */
export interface ContractRoute {
  readonly operationId: string;
  readonly method: HTTPMethods;
  readonly url: string;
  readonly schema: Pick<FastifySchema, 'params' | 'querystring' | 'headers' | 'body'>;
}

export interface Contract {
  /** The whole document, as the routes are generated from it. */
  document: ContractDocument;
  /** Its routes, where the build has judged the contract and made them; null: nobody has judged it yet. */
  routes: readonly ContractRoute[] | null;
  /** The file as written, served at /openapi.yaml. */
  text: string;
  operations: ContractOperation[];
  schemes: string[];
}

interface Parameter {
  $ref?: string;
  in?: string;
  name?: string;
  schema?: { type?: string };
}

interface PathItem extends Partial<Record<(typeof METHODS)[number], OperationObject>> {
  parameters?: Parameter[];
}

/** The document as far as the server reads it. */
export interface ContractDocument {
  [member: string]: unknown;
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  'x-operation-extensions'?: Record<string, string>;
  security?: Record<string, string[]>[];
  components?: { parameters?: Record<string, Parameter>; securitySchemes?: Record<string, unknown> };
}

interface OperationObject {
  [extension: `x-${string}`]: unknown;
  operationId?: string;
  summary?: string;
  tags?: string[];
  requestBody?: object;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
}

function queryOf(document: ContractDocument, parameters: Parameter[]): Record<string, string> {
  const resolved = parameters.map(({ $ref, ...parameter }) =>
    $ref ? document.components?.parameters?.[$ref.split('/').pop() ?? ''] : parameter,
  );
  const query = resolved.filter((parameter) => parameter?.in === 'query');
  return Object.fromEntries(query.map((parameter) => [parameter?.name, parameter?.schema?.type ?? 'string']));
}

function operationsOf(document: ContractDocument): ContractOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const security = operation.security ?? document.security ?? [];
      const extensions = extensionsOf(operation);
      return [
        {
          operationId: operation.operationId ?? '',
          method: method.toUpperCase(),
          path,
          schemes: security.flatMap((requirement) => Object.keys(requirement)),
          scopes: security.flatMap((requirement) => requirement.accessKey ?? []),
          query: queryOf(document, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
          takesBody: operation.requestBody !== undefined,
          metered: 'x-price-credits' in extensions,
          judgesCredential: extensions['x-judges-credential'] === true,
          unranked: extensions['x-unranked'] === true,
          extensions,
        },
      ];
    }),
  );
}

function extensionsOf(operation: OperationObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(operation).filter(([name]) => name.startsWith('x-')));
}

/** A contract from the text of its file and what that was parsed to. */
export function contractOf(
  text: string,
  document: ContractDocument,
  routes: Contract['routes'] = null,
): Contract {
  return {
    document,
    routes,
    text,
    operations: operationsOf(document),
    schemes: Object.keys(document.components?.securitySchemes ?? {}),
  };
}

/**
 * Stops the boot, naming every culprit, where the contract and the code do not fit: an operation without a handler or
 * id, an id used twice, an unknown scheme, a protected operation whose scheme has no handler, an extension that nobody knows
 * or that is missing.
 */
export function assertContract(contract: Contract, handlers: object, securityHandlers: object): void {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const operation of contract.operations) {
    const { operationId, method, path, schemes } = operation;
    const place = `${method} ${path}`;
    if (!operationId) problems.push(`${place} has no operationId`);
    const other = seen.get(operationId);
    if (operationId && other) problems.push(`operationId ${operationId} is used by ${other} and ${place}`);
    seen.set(operationId, place);
    if (operationId && !(operationId in handlers)) problems.push(`${operationId} (${place}) has no handler`);
    problems.push(...extensionProblems(operation).map((problem) => `${operationId} (${place}) ${problem}`));
    for (const scheme of schemes) {
      if (!contract.schemes.includes(scheme))
        problems.push(`${operationId} (${place}) names the unknown security scheme ${scheme}`);
      else if (!(scheme in securityHandlers))
        problems.push(`${operationId} (${place}) is protected by ${scheme}, which has no security handler`);
    }
  }
  for (const name of Object.keys(handlers)) {
    if (!seen.has(name)) problems.push(`the handler ${name} belongs to no operation of the contract`);
  }
  problems.push(...undescribedExtensions(contract.document['x-operation-extensions'] ?? {}));
  if (problems.length > 0)
    throw new Error(`the contract and the server do not fit:\n- ${problems.join('\n- ')}`);
}
