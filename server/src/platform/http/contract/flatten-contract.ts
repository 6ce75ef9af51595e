type Node = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';

/**
 * Inlines responses, request bodies, parameters, headers and examples, for tools that follow only references to
 * schemas. `components` then contains only schemas and security schemes.
 */
export function flattenContract(document: Node): Node {
  const { components, ...rest } = document;
  const { schemas, securitySchemes } = components as Node;
  return { ...(inline(rest, document) as Node), components: { schemas, securitySchemes } };
}

/** Serializes the flattened contract as JSON. */
export function serializeContract(document: Node): string {
  return `${JSON.stringify(flattenContract(document))}\n`;
}

function inline(node: unknown, document: Node): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, document));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Node;
  if (typeof $ref === 'string' && !$ref.startsWith(SCHEMAS)) return inline(nodeAt($ref, document), document);
  const members = Object.entries(rest).map(([key, value]) => [key, inline(value, document)]);
  return Object.fromEntries($ref === undefined ? members : [['$ref', $ref], ...members]);
}

/** Returns the value at a pointer such as `#/components/headers/ETag`. */
function nodeAt(pointer: string, document: Node): unknown {
  const keys = pointer.split('/').slice(1);
  const found = keys.reduce<unknown>((node, key) => Object(node)[key], document);
  if (found === undefined) throw new Error(`${pointer} is not in the contract`);
  return found;
}
