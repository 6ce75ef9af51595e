import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { problemsOf, type ReceivedAnswer } from '../../answers/check-answer.ts';
import { operationOf } from '../../answers/documented-answers.ts';

/** A request that is sent unchanged: nothing is encoded, completed or corrected. */
export interface RawRequest {
  readonly method: string;
  /** Path and query of the request. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Builds a JSON body with its content type. */
export function json(value: unknown): Pick<RawRequest, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

/** Sends a request and reads the answer, without checking it. */
export function sendRaw(
  baseUrl: string,
  { method, path, headers = {}, body = '' }: RawRequest,
): Promise<ReceivedAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const isMeasured = body.length > 0 && !('Transfer-Encoding' in headers);
  const length = isMeasured ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  return new Promise((resolve, reject) => {
    const outgoing = send({ hostname, port, method, path, headers: { ...length, ...headers } as never });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const pairs = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value) => [name, value] as [string, string]),
      );
      text(incoming).then(
        (read) => resolve({ status: incoming.statusCode ?? 0, headers: new Headers(pairs), body: read }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

/** Sends a request, and throws unless the contract allows the answer for the operation. */
export async function sendChecked(
  baseUrl: string,
  request: RawRequest,
  send: typeof sendRaw = sendRaw,
): Promise<ReceivedAnswer> {
  const answer = await send(baseUrl, request);
  const [pathname = ''] = request.path.split('?');
  const operation = operationOf(request.method, pathname);
  if (!operation) throw new Error(`the contract has no ${request.method} ${pathname}`);
  const problems = problemsOf(operation, answer);
  if (problems.length > 0) {
    throw new Error(
      `${operation.operationId} answered ${answer.status} against the contract:\n- ${problems.join('\n- ')}`,
    );
  }
  return answer;
}
