import { at, contract } from '../contract-examples.ts';

/** Documented answer of an operation for one status. Its schemas are given as pointers into the contract. */
export interface DocumentedAnswer {
  /** Media type and schema of the body; null if the answer has none. */
  readonly body: { readonly type: string; readonly schema: string } | null;
  /** Schemas of the headers, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** An operation of the service. Webhooks, which other servers answer, are not included. */
export interface DocumentedOperation {
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  readonly path: string;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const membersOf = (node: unknown) => Object.keys((node ?? {}) as object);

/** Every operation of the contract. */
export const OPERATIONS: readonly DocumentedOperation[] = membersOf(contract.paths).flatMap((path) => {
  const item = `#/paths/${escaped(path)}`;
  return METHODS.filter((method) => method in at(item).node).map((method) => {
    const { node, pointer } = at(`${item}/${method}`);
    const statuses = membersOf(node.responses).map(
      (status) => [Number(status), answerAt(`${pointer}/responses/${status}`)] as const,
    );
    const { operationId } = node as { operationId: string };
    return { operationId, method: method.toUpperCase(), path, answers: new Map(statuses) };
  });
});

function answerAt(place: string): DocumentedAnswer {
  const { node, pointer } = at(place);
  const [type] = membersOf(node.content);
  const headers = membersOf(node.headers).map(
    (name) => [name.toLowerCase(), schemaOf(`${pointer}/headers/${name}`)] as const,
  );
  const body = type === undefined ? null : { type, schema: schemaOf(`${pointer}/content/${escaped(type)}`) };
  return { body, headers: new Map(headers) };
}

function schemaOf(holder: string): string {
  return at(`${at(holder).pointer}/schema`).pointer;
}

/** Finds the operation that a request is for; undefined if the contract has none. */
export function operationOf(method: string, pathname: string): DocumentedOperation | undefined {
  return OPERATIONS.find((operation) => operation.method === method && fits(operation.path, pathname));
}

/** Finds the operation with this id; throws if the contract has none. */
export function operationNamed(operationId: string): DocumentedOperation {
  const found = OPERATIONS.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}

function fits(template: string, pathname: string): boolean {
  const [parts, given] = [template.split('/'), pathname.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, index) => /^\{\w+\}$/.test(part) || part === given[index])
  );
}
