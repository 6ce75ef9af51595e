import { type Contract, type ContractOperation, METHODS } from '../../../platform/http/contract/contract.ts';
import { flattenContract } from '../../../platform/http/contract/flatten-contract.ts';
import { type Field, listFields, type Schema, type Schemas } from './list-fields.ts';

/** Example of a value in the contract. */
export interface Example {
  name: string;
  summary: string | null;
  value: unknown;
}

export interface Parameter {
  name: string;
  /** `path`, `query` or `header`. */
  in: string;
  required: boolean;
  field: Field;
  examples: Example[];
}

/** Body of a request or response, with fields and examples. */
export interface Content {
  type: string;
  fields: Field[];
  examples: Example[];
}

export interface EndpointResponse {
  status: string;
  description: string;
  headers: string[];
  content: Content | null;
  /** Error codes in the examples of this response. */
  codes: string[];
}

/** One endpoint, as its page shows it. */
export interface Endpoint {
  operationId: string;
  method: string;
  /** Path, or the name of a webhook that this service calls. */
  path: string;
  isWebhook: boolean;
  group: string;
  summary: string;
  description: string;
  /** Price in credits by operation; null for free calls. */
  prices: Record<string, number> | null;
  schemes: string[];
  scopes: string[];
  parameters: Parameter[];
  body: Content | null;
  responses: EndpointResponse[];
}

/** Meaning of an error code, and what to do. */
interface ErrorWord {
  code: string;
  means: string;
  next: string;
  /** HTTP statuses of the contract's example responses that have this code. */
  statuses: string[];
}

/** Contract as the documentation shows it. */
export interface Reference {
  groups: { name: string; description: string; endpoints: Endpoint[] }[];
  endpoints: Endpoint[];
  errors: ErrorWord[];
}

interface Media {
  schema?: Schema;
  examples?: Record<string, { summary?: string; value: unknown }>;
}
interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Media & { name: string; in: string; required?: boolean; description?: string })[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, { description?: string; headers?: object; content?: Record<string, Media> }>;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks?: Record<string, Record<string, Described>>;
  components: { schemas: Schemas };
  'x-error-codes': Record<string, { means: string; next: string }>;
}

/** Extracts from the contract what the documentation shows. */
export function readReference(contract: Contract): Reference {
  const document = flattenContract(contract.document) as unknown as Document;
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const items = [
    ...Object.entries(document.paths).map(([path, item]) => ({ path, item, isWebhook: false })),
    ...Object.entries(document.webhooks ?? {}).map(([path, item]) => ({ path, item, isWebhook: true })),
  ];
  const endpoints = items.flatMap(({ path, item, isWebhook }) =>
    METHODS.flatMap((method) => {
      const described = item[method];
      if (!described) return [];
      const operation = operations.get(described.operationId ?? '');
      return [
        {
          ...readEndpoint(described, operation, document.components.schemas),
          method: method.toUpperCase(),
          path,
          isWebhook,
        },
      ];
    }),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ group }) => group === name),
  }));
  return { groups, endpoints, errors: readErrors(document, endpoints) };
}

function readEndpoint(
  described: Described,
  operation: ContractOperation | undefined,
  schemas: Schemas,
): Omit<Endpoint, 'method' | 'path' | 'isWebhook'> {
  const { operationId = '', summary = '', description = '', tags: [group = ''] = [] } = described;
  const content = Object.entries(described.requestBody?.content ?? {})[0];
  return {
    operationId,
    group,
    summary,
    description,
    prices: (operation?.extensions['x-price-credits'] as Record<string, number> | undefined) ?? null,
    schemes: operation?.schemes ?? [],
    scopes: operation?.scopes ?? [],
    parameters: (described.parameters ?? []).map(({ schema = {}, ...parameter }) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required === true,
      field: describe(parameter.name, schema, parameter, schemas),
      examples: examplesOf(parameter),
    })),
    body: content ? readContent(...content, schemas) : null,
    responses: Object.entries(described.responses ?? {}).map(([status, answer]) => {
      const media = Object.entries(answer.content ?? {})[0];
      const read = media ? readContent(...media, schemas) : null;
      return {
        status,
        description: answer.description ?? '',
        headers: Object.keys(answer.headers ?? {}),
        content: read,
        codes: [...new Set((read?.examples ?? []).flatMap(({ value }) => codeOf(value)))],
      };
    }),
  };
}

function describe(
  name: string,
  schema: Schema,
  { required, description }: { required?: boolean; description?: string },
  schemas: Schemas,
): Field {
  const [field] = listFields(
    { type: 'object', properties: { [name]: schema }, required: required ? [name] : [] },
    schemas,
  );
  if (!field) throw new Error(`${name} has no schema`);
  return description === undefined ? field : { ...field, description };
}

function readContent(type: string, media: Media, schemas: Schemas): Content {
  return { type, fields: listFields(media.schema ?? {}, schemas), examples: examplesOf(media) };
}

function examplesOf({ examples = {} }: Media): Example[] {
  return Object.entries(examples).map(([name, { summary, value }]) => ({
    name,
    summary: summary ?? null,
    value,
  }));
}

/**
 * Returns the error code of an example response; empty if it is not an error. Errors of `/api/svc/` have `ok: false` and
 * `code`; all others have `status` and `error`.
 */
function codeOf(value: unknown): string[] {
  const { ok, error, code, status } = Object(value) as Record<string, unknown>;
  if (ok === false && typeof code === 'string') return [code];
  return typeof status === 'number' && typeof error === 'string' ? [error] : [];
}

function readErrors(document: Document, endpoints: readonly Endpoint[]): ErrorWord[] {
  const answers = endpoints.flatMap((endpoint) => endpoint.responses);
  return Object.entries(document['x-error-codes']).map(([code, words]) => {
    const statuses = answers.filter(({ codes }) => codes.includes(code)).map(({ status }) => status);
    return { code, ...words, statuses: [...new Set(statuses)].sort() };
  });
}

/** Returns the path of an endpoint's page. */
export function endpointPath(operationId: string): string {
  return `/docs/${operationId}`;
}

/** Returns the operation ids of all endpoints and webhooks; each has a page. */
export function endpointIds({ document: { paths, webhooks = {} } }: Contract): string[] {
  const items = Object.values({ ...paths, ...webhooks });
  return items.flatMap((item) => METHODS.flatMap((method) => item[method]?.operationId ?? []));
}

/** Returns the endpoint with this operation id; throws if there is none. */
export function findEndpoint({ endpoints }: Reference, operationId: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not in the contract`);
  return found;
}
