import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

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
}

export interface Contract {
  /** The whole document, as the routes are generated from it. */
  document: Record<string, unknown>;
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

interface PathItem {
  parameters?: Parameter[];
  [method: string]: unknown;
}

interface Document {
  paths: Record<string, PathItem>;
  security?: Record<string, string[]>[];
  components?: { parameters?: Record<string, Parameter>; securitySchemes?: Record<string, unknown> };
}

interface OperationObject {
  operationId?: string;
  requestBody?: object;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
}

const DEFAULT_PATH = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

function queryOf(document: Document, parameters: Parameter[]): Record<string, string> {
  const resolved = parameters.map(({ $ref, ...parameter }) =>
    $ref ? document.components?.parameters?.[$ref.split('/').pop() ?? ''] : parameter,
  );
  const query = resolved.filter((parameter) => parameter?.in === 'query');
  return Object.fromEntries(query.map((parameter) => [parameter?.name, parameter?.schema?.type ?? 'string']));
}

function operationsOf(document: Document): ContractOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as OperationObject | undefined;
      if (!operation) return [];
      const security = operation.security ?? document.security ?? [];
      return [
        {
          operationId: operation.operationId ?? '',
          method: method.toUpperCase(),
          path,
          schemes: security.flatMap((requirement) => Object.keys(requirement)),
          scopes: security.flatMap((requirement) => requirement.accessKey ?? []),
          query: queryOf(document, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
          takesBody: operation.requestBody !== undefined,
        },
      ];
    }),
  );
}

/** Reads a contract from its text. */
export function parseContract(text: string): Contract {
  const document = parse(text) as Document & Record<string, unknown>;
  return {
    document,
    text,
    operations: operationsOf(document),
    schemes: Object.keys(document.components?.securitySchemes ?? {}),
  };
}

/** Reads the contract that stands at the root of the project. */
export function loadContract(path: string = DEFAULT_PATH): Contract {
  return parseContract(readFileSync(path, 'utf8'));
}

/**
 * The document that routes are made of: without its answers, which go out as they are. The maker of the routes would
 * miss a parser for each type that they have, such as a CSV file's.
 */
export function withoutAnswers({ document }: Contract): Record<string, unknown> {
  const { paths } = document as unknown as Document;
  const asked = Object.entries(paths).map(([path, item]) => [
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

/**
 * Stops the boot, naming every culprit, where the contract and the code do not fit: an operation without a handler or
 * id, an id used twice, an unknown scheme, a protected operation whose scheme has no handler.
 */
export function assertContract(contract: Contract, handlers: object, securityHandlers: object): void {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const { operationId, method, path, schemes } of contract.operations) {
    const place = `${method} ${path}`;
    if (!operationId) problems.push(`${place} has no operationId`);
    const other = seen.get(operationId);
    if (operationId && other) problems.push(`operationId ${operationId} is used by ${other} and ${place}`);
    seen.set(operationId, place);
    if (operationId && !(operationId in handlers)) problems.push(`${operationId} (${place}) has no handler`);
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
  if (problems.length > 0)
    throw new Error(`the contract and the server do not fit:\n- ${problems.join('\n- ')}`);
}
