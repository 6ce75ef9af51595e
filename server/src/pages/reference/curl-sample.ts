import type { Contract, ContractOperation } from '../../http/contract/contract.ts';
import { sessionCookieName } from '../../http/credentials/credential.ts';

type Json = Record<string, unknown>;

/** What the contract shows examples of. */
interface Shown {
  examples?: Record<string, { value: unknown }>;
}

interface Parameter extends Shown {
  name: string;
  in: string;
  required?: boolean;
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, Shown> };
}

const firstExample = (shown: Shown | undefined): unknown => Object.values(shown?.examples ?? {})[0]?.value;

/** The node itself where it is written out, else the one of the contract that it points to. */
function followed<Node extends object>(document: Json, node: Node): Node {
  const pointer = (node as { $ref?: string }).$ref;
  if (pointer === undefined) return node;
  const keys = pointer.slice(2).split('/');
  return keys.reduce<unknown>((parent, key) => (parent as Json)[key], document) as Node;
}

/** A word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The path with its parameters' examples and, as a query, the parameters that must be there, else the first one. */
function addressOf(path: string, parameters: readonly Parameter[]): string {
  const value = (parameter: Parameter) => encodeURIComponent(String(firstExample(parameter)));
  const filled = parameters.reduce((text, each) => text.replace(`{${each.name}}`, () => value(each)), path);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const required = query.filter((parameter) => parameter.required);
  const shown = required.length > 0 ? required : query.slice(0, 1);
  return shown.length === 0
    ? filled
    : `${filled}?${shown.map((each) => `${each.name}=${value(each)}`).join('&')}`;
}

/** A key where one is taken. A session also has to show that it is the service's own page that changes something. */
function credentialOptions({ method, schemes }: ContractOperation, origin: string): string[] {
  if (schemes.includes('accessKey')) return ['-H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY"'];
  if (!schemes.includes('session')) return [];
  const cookie = `-b "${sessionCookieName(origin)}=$SESSION"`;
  return method === 'GET' ? [cookie] : [cookie, `-H ${quoted(`Origin: ${origin}`)}`];
}

/** A curl command that calls an operation at an origin, with the contract's own examples. */
export function curlSample({ document }: Contract, operation: ContractOperation, origin: string): string {
  const { path, method } = operation;
  const item = (document.paths as Record<string, Described & Record<string, Described>>)[path];
  const { parameters = [], requestBody = {} } = item?.[method.toLowerCase()] ?? {};
  const all = [...(item?.parameters ?? []), ...parameters].map((each) => followed(document, each));
  const body = firstExample(followed(document, requestBody).content?.['application/json']);
  // curl itself sends a POST where there is a body.
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const data = ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`];
  return [
    `curl ${verb}${quoted(origin + addressOf(path, all))}`,
    ...credentialOptions(operation, origin),
    ...(body === undefined ? [] : data),
  ].join(' \\\n  ');
}
