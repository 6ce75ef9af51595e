import { problemsOfValue, valueOfText } from '../answers/check-answer.ts';
import { operationOf } from '../answers/documented-answers.ts';
import { OPERATION_INPUTS, type OperationInputs } from '../generated-input/operation-inputs.ts';

/** A request as a sample would send it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Null without a body. */
  readonly body: string | null;
}

/** Finds the operation that a request is for and lists where the request breaks the contract, one sentence each. */
export function judgeRequest(request: SentRequest): { operationId: string | null; problems: string[] } {
  const { pathname, searchParams } = new URL(request.url);
  const operation = operationOf(request.method, pathname);
  const inputs = OPERATION_INPUTS.find((each) => each.operation === operation);
  if (!operation || !inputs)
    return { operationId: null, problems: [`${request.method} ${pathname} is nothing`] };
  const problems = [
    ...problemsOfPath(inputs, pathname),
    ...problemsOfQuery(inputs, searchParams),
    ...problemsOfBody(inputs, request),
  ];
  return { operationId: operation.operationId, problems };
}

function problemsOfPath({ operation, parameters }: OperationInputs, pathname: string): string[] {
  const given = pathname.split('/');
  return operation.path.split('/').flatMap((part, index) => {
    const parameter = parameters.find(({ name }) => part === `{${name}}`);
    if (!parameter) return [];
    const text = decodeURIComponent(given[index] ?? '');
    return problemsOfValue(parameter.name, parameter.schema, valueOfText(text, parameter.schema));
  });
}

function problemsOfQuery({ parameters }: OperationInputs, given: URLSearchParams): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const names = query.map(({ name }) => name);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  const missing = query.filter(({ name, required }) => required && !given.has(name));
  const wrong = query.flatMap(({ name, schema }) => {
    const text = given.get(name);
    return text === null ? [] : problemsOfValue(name, schema, valueOfText(text, schema));
  });
  return [
    ...unknown.map((name) => `${name} is no parameter`),
    ...missing.map(({ name }) => `${name} is missing`),
    ...wrong,
  ];
}

function problemsOfBody({ body: schema }: OperationInputs, { headers, body }: SentRequest): string[] {
  if (schema === null || body === null)
    return (schema === null) === (body === null) ? [] : ['one body too many or few'];
  const type = headers.get('content-type');
  const misnamed = type === 'application/json' ? [] : [`the content type is ${type}`];
  return [...misnamed, ...problemsOfValue('body', schema, JSON.parse(body))];
}
