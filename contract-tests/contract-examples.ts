import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A node of the contract's document, without a static type for its members. */
type Node = Record<string, unknown>;

/** One example: its pointer in the document (`at`), the pointer to its schema, and its value. */
export interface Example {
  at: string;
  schema: string;
  value: unknown;
}

/** One documented answer of one operation. `media` is null if the answer has no body. */
export interface DocumentedResponse {
  operation: string;
  path: string;
  status: string;
  media: { at: string; examples: Record<string, unknown> } | null;
  headers: string[];
}

/** The contract as written, references unresolved. */
export const contract: Node = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));

const pointerKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const entries = (node: unknown): [string, Node][] => Object.entries((node ?? {}) as Record<string, Node>);

/** Resolves a pointer such as `#/components/schemas/Agent` to its node, and to the pointer after following references. */
export function at(pointer: string): { node: Node; pointer: string } {
  const keys = pointer.split('/').slice(1);
  const found = keys.reduce<unknown>(
    (node, key) => (node as Node)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    contract,
  );
  if (found === undefined) throw new Error(`${pointer} is not in the contract`);
  const reference = (found as Node).$ref;
  return typeof reference === 'string' ? at(reference) : { node: found as Node, pointer };
}

/** Lists the answers of every operation, webhooks included. */
export function documentedResponses(): DocumentedResponse[] {
  return operations().flatMap(({ node, pointer, path }) =>
    entries(node.responses).map(([status]) => {
      const response = at(`${pointer}/responses/${status}`);
      const headers = entries(response.node.headers).map(([name]) => `${response.pointer}/headers/${name}`);
      const [type] = Object.keys(response.node.content ?? {});
      const media = type ? at(`${response.pointer}/content/${pointerKey(type)}`) : null;
      return {
        operation: String(node.operationId),
        path,
        status,
        media: media && { at: media.pointer, examples: namedExamples(media.pointer) },
        headers,
      };
    }),
  );
}

/** Lists every example in the document: of parameters, headers, bodies and schemas. */
export function allExamples(): Example[] {
  const holders = operations().flatMap(({ node, pointer }) => [
    ...entries(node.parameters).map(([index]) => `${pointer}/parameters/${index}`),
    ...(node.requestBody ? mediaOf(`${pointer}/requestBody`) : []),
    ...entries(node.responses).flatMap(([status]) => [
      ...mediaOf(`${pointer}/responses/${status}`),
      ...entries(at(`${pointer}/responses/${status}`).node.headers).map(
        ([name]) => `${at(`${pointer}/responses/${status}`).pointer}/headers/${name}`,
      ),
    ]),
  ]);
  const unique = new Set(holders.map((holder) => at(holder).pointer));
  return [...[...unique].flatMap(examplesOf), ...schemaExamples('#/components/schemas')];
}

function operations(): { node: Node; pointer: string; path: string }[] {
  const methods = ['get', 'put', 'post', 'delete', 'patch'];
  return ['paths', 'webhooks'].flatMap((section) =>
    entries(contract[section]).flatMap(([path, item]) =>
      methods
        .filter((method) => method in item)
        .map((method) => ({ path, ...at(`#/${section}/${pointerKey(path)}/${method}`) })),
    ),
  );
}

function mediaOf(holder: string): string[] {
  const { node, pointer } = at(holder);
  return entries(node.content).map(([type]) => `${pointer}/content/${pointerKey(type)}`);
}

function namedExamples(holder: string): Record<string, unknown> {
  const names = entries(at(holder).node.examples).map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, at(`${holder}/examples/${name}`).node.value]));
}

function examplesOf(holder: string): Example[] {
  const { node } = at(holder);
  const schema = at(`${holder}/schema`).pointer;
  const single = node.example === undefined ? [] : [{ at: `${holder}/example`, schema, value: node.example }];
  const named = Object.entries(namedExamples(holder)).map(([name, value]) => ({
    at: `${holder}/examples/${name}`,
    schema,
    value,
  }));
  return [...single, ...named];
}

function schemaExamples(pointer: string): Example[] {
  const { node } = at(pointer);
  const own = Array.isArray(node.examples)
    ? node.examples.map((value, index) => ({ at: `${pointer}/examples/${index}`, schema: pointer, value }))
    : [];
  const nested = entries(node)
    .filter(([, child]) => typeof child === 'object' && child !== null && !('$ref' in child))
    .flatMap(([key]) => schemaExamples(`${pointer}/${pointerKey(key)}`));
  return [...own, ...nested];
}
