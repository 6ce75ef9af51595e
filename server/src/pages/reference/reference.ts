import { type Contract, type ContractOperation, METHODS } from '../../http/contract/contract.ts';
import { flattenContract } from '../../http/contract/flatten-contract.ts';
import { type Field, fieldsOf, type Schema, type Schemas } from './fields-of.ts';

/** An example as the contract words it. */
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

/** What comes as JSON, or as a file: its parts and examples. */
export interface Content {
  type: string;
  fields: Field[];
  examples: Example[];
}

export interface Answer {
  status: string;
  description: string;
  headers: string[];
  content: Content | null;
  /** The words that its errors carry. */
  codes: string[];
}

/** One endpoint as its page shows it. */
export interface Endpoint {
  operationId: string;
  method: string;
  /** A webhook's name, where this service calls it and not the reader. */
  path: string;
  isWebhook: boolean;
  group: string;
  summary: string;
  description: string;
  /** Credits by operation; null where calls are free. */
  prices: Record<string, number> | null;
  schemes: string[];
  scopes: string[];
  parameters: Parameter[];
  body: Content | null;
  answers: Answer[];
}

/** What an error's word means and what its reader does next. */
interface ErrorWord {
  code: string;
  means: string;
  next: string;
  /** Statuses that it comes with, as the contract's examples have them. */
  statuses: string[];
}

/** The contract as the documentation shows it. */
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

/** Reads everything that the documentation shows out of the contract. */
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
    answers: Object.entries(described.responses ?? {}).map(([status, answer]) => {
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
  const [field] = fieldsOf(
    { type: 'object', properties: { [name]: schema }, required: required ? [name] : [] },
    schemas,
  );
  if (!field) throw new Error(`${name} has no schema`);
  return description === undefined ? field : { ...field, description };
}

function readContent(type: string, media: Media, schemas: Schemas): Content {
  return { type, fields: fieldsOf(media.schema ?? {}, schemas), examples: examplesOf(media) };
}

function examplesOf({ examples = {} }: Media): Example[] {
  return Object.entries(examples).map(([name, { summary, value }]) => ({
    name,
    summary: summary ?? null,
    value,
  }));
}

/** The word of an error, in either of its two shapes. */
function codeOf(value: unknown): string[] {
  const { ok, error, code, status } = Object(value) as Record<string, unknown>;
  if (ok === false && typeof code === 'string') return [code];
  return typeof status === 'number' && typeof error === 'string' ? [error] : [];
}

function readErrors(document: Document, endpoints: readonly Endpoint[]): ErrorWord[] {
  const answers = endpoints.flatMap((endpoint) => endpoint.answers);
  return Object.entries(document['x-error-codes']).map(([code, words]) => {
    const statuses = answers.filter(({ codes }) => codes.includes(code)).map(({ status }) => status);
    return { code, ...words, statuses: [...new Set(statuses)].sort() };
  });
}

/** Where the page of an endpoint is. */
export function endpointPath(operationId: string): string {
  return `/docs/${operationId}`;
}

/** The ids of everything that has a page: endpoints, and the calls that this service makes. */
export function endpointIds({ document: { paths, webhooks = {} } }: Contract): string[] {
  const items = Object.values({ ...paths, ...webhooks });
  return items.flatMap((item) => METHODS.flatMap((method) => item[method]?.operationId ?? []));
}

/** One endpoint by its id; throws where there is none. */
export function endpointOf({ endpoints }: Reference, operationId: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not in the contract`);
  return found;
}
