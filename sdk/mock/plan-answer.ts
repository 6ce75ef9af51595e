import { createHash } from 'node:crypto';
import type { AnsweredKeys, LogicalCall } from './answered-keys.ts';

/** The metered route; every other one is answered by Prism as it is. */
export const METERED_PATH = '/api/svc/operations/run';

/** What the forwarder looks at in a request. */
export interface AskedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly prefer: string | undefined;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: unknown;
}

/** What Prism is told beside the request itself. */
export interface Plan {
  /** `Prefer` header that picks the answer; absent where the caller picks it, or Prism may. */
  readonly prefer?: string;
  /** `Authorization` header to add, where Prism would ask for one and the service would not. */
  readonly authorization?: string;
  /** The call to remember once it got a result. */
  readonly call?: LogicalCall;
}

const ANY_CREDENTIAL = 'Bearer none-needed';

/** Decides what a stateless Prism is told, so that it answers the metered call that was made and not just any. */
export function planAnswer(request: AskedRequest, answered: AnsweredKeys): Plan {
  const { pathname, searchParams } = new URL(request.url, 'http://mock');
  const { body } = request;
  if (request.method !== 'POST' || pathname !== METERED_PATH || !isObject(body)) return {};

  const call = logicalCallOf(request.authorization ?? request.cookie, body);
  const isReserved = body.channel === 'mcp';
  const withCredential =
    isReserved && request.authorization === undefined ? { authorization: ANY_CREDENTIAL } : {};
  const plan = { ...withCredential, ...(call && { call }) };
  if (isPickedByCaller(request.prefer, searchParams)) return plan;
  const prefer = isReserved ? 'code=501' : preferenceFor(body, call, answered);
  return { ...plan, ...(prefer && { prefer }) };
}

function preferenceFor(
  body: Record<string, unknown>,
  call: LogicalCall | null,
  answered: AnsweredKeys,
): string | null {
  if (body.dry_run === true) return 'code=200, example=dry_run';
  if (!call) return null;
  switch (answered.stateOf(call)) {
    case 'new':
      return `code=200, example=${call.operation}`;
    case 'answered':
      return 'code=200, example=replay';
    case 'used for another call':
      return 'code=422';
  }
}

/** Null where the body lacks what makes a call: Prism then refuses it by the contract. */
function logicalCallOf(presented: string | undefined, body: Record<string, unknown>): LogicalCall | null {
  const { operation, subject, idempotency_key: idempotencyKey } = body;
  if (typeof operation !== 'string' || typeof subject !== 'string' || typeof idempotencyKey !== 'string') {
    return null;
  }
  // A header may hold only so much: an operation that no example can be named after is Prism's to refuse.
  if (!/^\w{1,64}$/.test(operation)) return null;
  const credential = createHash('sha256')
    .update(presented ?? '')
    .digest('base64');
  return { credential, idempotencyKey, operation, subject: subject.trim() };
}

/** Prism reads these query parameters where there is no `Prefer` header. */
const PICKING_PARAMETERS = ['__code', '__example', '__dynamic', '__seed'];

function isPickedByCaller(prefer: string | undefined, query: URLSearchParams): boolean {
  return prefer !== undefined || PICKING_PARAMETERS.some((name) => query.has(name));
}

/** True for a JSON object, as opposed to an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
