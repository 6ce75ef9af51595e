import type { FastifySchema, HTTPMethods } from 'fastify';

/** Operation of the contract with its extensions. */
interface ExtendedOperation {
  method: string;
  schemes: readonly string[];
  extensions: Readonly<Record<string, unknown>>;
}

interface Extension {
  /** Description of the valid values, as part of a sentence. */
  form: string;
  isValid(value: unknown): boolean;
  /** Returns true if the operation must have the extension. */
  isDue(operation: ExtendedOperation): boolean;
}

const YES_OR_NO = { form: 'true or false', isValid: (value: unknown) => typeof value === 'boolean' };

/** Extensions that an operation may have; `x-operation-extensions` in the contract explains them. */
const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'x-price-credits': {
    form: 'a whole number of credits for each of its operations',
    isValid: (value) =>
      value instanceof Object && Object.values(value).every((price) => Number.isInteger(price) && price > 0),
    isDue: () => false,
  },
  'x-judges-credential': { ...YES_OR_NO, isDue: ({ schemes }) => schemes.includes('accessKey') },
  'x-key-scope': {
    form: 'the name of a scope',
    isValid: (value) => typeof value === 'string',
    isDue: () => false,
  },
  'x-body-limit-kib': {
    form: 'a whole number of KiB',
    isValid: (value) => Number.isInteger(value) && Number(value) > 0,
    isDue: () => false,
  },
  'x-unranked': { ...YES_OR_NO, isDue: ({ schemes }) => schemes.length === 0 },
  'x-repeatable': { ...YES_OR_NO, isDue: ({ method }) => method !== 'GET' },
};

/**
 * Returns the problems of an operation's extensions (unknown, malformed or missing). The caller completes each problem
 * to a sentence.
 */
function extensionProblems(operation: ExtendedOperation): string[] {
  const { extensions } = operation;
  const unknown = Object.keys(extensions).filter((name) => !Object.hasOwn(EXTENSIONS, name));
  const known = Object.entries(EXTENSIONS).flatMap(([name, { form, isValid, isDue }]) => {
    if (!Object.hasOwn(extensions, name)) return isDue(operation) ? [`does not say ${name}, ${form}`] : [];
    return isValid(extensions[name]) ? [] : [`has an ${name} that is not ${form}`];
  });
  return [...unknown.map((name) => `has the unknown extension ${name}`), ...known];
}

/** Returns one sentence for each extension that only the code knows, or that only the contract describes. */
function undescribedExtensions(described: object): string[] {
  const known = Object.keys(EXTENSIONS);
  const names = Object.keys(described);
  return [
    ...known
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not described in the contract`),
    ...names
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is described, but nothing reads it`),
  ];
}

/** HTTP methods that the contract may use. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export interface ContractOperation {
  operationId: string;
  method: string;
  path: string;
  /** Security schemes that protect the operation; empty for a public one. */
  schemes: string[];
  /** Scopes that an access key needs; empty without `x-key-scope`, for example if the body decides. */
  scopes: string[];
  /** Types of the operation's query parameters by name. */
  query: Record<string, string>;
  /** False if the operation rejects every body. */
  takesBody: boolean;
  /** Maximum bytes of a body; null for the default of the server. */
  bodyLimit: number | null;
  /** True if calls of the operation cost credits (it has a price list). */
  metered: boolean;
  /**
   * True if the SQL statement that does the operation's work also checks the credential; no earlier step then checks
   * it.
   */
  judgesCredential: boolean;
  /**
   * True if the responses contain only the requested subjects and subjects related to them, and neither sort nor count
   * by score.
   */
  unranked: boolean;
  /** Extensions of the operation: properties that begin with `x-`. */
  extensions: Readonly<Record<string, unknown>>;
}

/** Address and request schemas of an operation, as a route needs them. */
export interface ContractRoute {
  readonly operationId: string;
  readonly method: HTTPMethods;
  readonly url: string;
  readonly schema: Pick<FastifySchema, 'params' | 'querystring' | 'headers' | 'body'>;
}

export interface Contract {
  /** Whole document, from which the routes are generated. */
  document: ContractDocument;
  /**
   * Routes that the build created after validating the contract; null if the contract was parsed without the build's
   * result.
   */
  routes: readonly ContractRoute[] | null;
  /** Text of the file, served at /openapi.yaml. */
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

/** Part of the document that the server reads. */
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
          scopes: [extensions['x-key-scope'] ?? []].flat() as string[],
          query: queryOf(document, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
          takesBody: operation.requestBody !== undefined,
          bodyLimit: bodyLimitOf(extensions),
          metered: 'x-price-credits' in extensions,
          judgesCredential: extensions['x-judges-credential'] === true,
          unranked: extensions['x-unranked'] === true,
          extensions,
        },
      ];
    }),
  );
}

function bodyLimitOf({ 'x-body-limit-kib': limit }: Readonly<Record<string, unknown>>): number | null {
  return typeof limit === 'number' ? limit * 1024 : null;
}

function extensionsOf(operation: OperationObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(operation).filter(([name]) => name.startsWith('x-')));
}

/** Creates a contract from the text of its file and the parsed document. */
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
 * Throws an error with a list of all mismatches between contract and code, which stops the start. Examples are an
 * operation without a handler, a handler without an operation, a duplicate id, an unknown security scheme, and an
 * unknown or missing extension.
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
    throw new Error(`the contract and the server do not match:\n- ${problems.join('\n- ')}`);
}
