import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../conditional-get.ts';
import type { KeptAnswer } from './answer-memory.ts';

/** An answer as it left once, in one form: sent again without a look at the hooks that made it. */
export interface WholeAnswer {
  /** The kept answer itself, where this form is its own. */
  readonly content: { readonly body: Buffer };
  readonly tag: string;
  /** Name after value, without those of one request. */
  readonly headers: readonly string[];
}

const RATE_LIMIT = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** Headers that tell of one request: no other gets them. */
const PER_REQUEST: ReadonlySet<string> = new Set(['x-request-id', ...RATE_LIMIT]);
/** An answer with one of these is for one client, or ends its connection. */
const PERSONAL = ['set-cookie', 'connection'];
/** Headers that tell of the body: a client that has it gets none of them. */
const OF_BODY: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'content-length']);
/** Accept-Encoding is the client's own text; those of browsers and libraries are a handful, and shorter. */
const LONGEST_FORM = 64;

/** By what the answer to a request may take another form; null where the request has to pass every hook. */
export function formOf({ raw: { headers, method } }: Pick<FastifyRequest, 'raw'>): string | null {
  const mayHaveBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (method !== 'GET' || mayHaveBody || headers['x-no-compression'] !== undefined) return null;
  const form = String(headers['accept-encoding'] ?? '');
  return form.length <= LONGEST_FORM ? form : null;
}

/** What leaves of a kept answer, once every hook has put its headers there; null where it is not for everybody. */
export function wholeAnswer(reply: FastifyReply, payload: unknown, kept: KeptAnswer): WholeAnswer | null {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
  const all = reply.getHeaders();
  const { etag: tag } = all;
  if (typeof tag !== 'string' || PERSONAL.some((name) => name in all)) return null;
  const isOther = Buffer.isBuffer(payload) && 'content-encoding' in all;
  all['content-length'] = Buffer.byteLength(payload);
  const headers: string[] = [];
  for (const name in all) if (!PER_REQUEST.has(name)) headers.push(name, String(all[name]));
  return { content: isOther ? { body: payload } : kept, tag, headers };
}

/** Sends it for this request, or a 304 to a client that has it. The request is logged and measured like any other. */
export function sendWhole(request: FastifyRequest, reply: FastifyReply, whole: WholeAnswer): void {
  const { content, tag } = whole;
  const asked = request.raw.headers['if-none-match'];
  const isKnown = asked !== undefined && matchesTag(asked, tag);
  const headers = isKnown ? withoutBody(whole.headers) : [...whole.headers];
  headers.push('x-request-id', request.id);
  for (const name of RATE_LIMIT) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers.push(name, String(value));
  }
  reply.hijack();
  if (isKnown) reply.raw.writeHead(304, headers).end();
  else reply.raw.writeHead(200, headers).end(content.body);
}

function withoutBody(headers: readonly string[]): string[] {
  return headers.filter((_text, place) => !OF_BODY.has(headers[place - (place % 2)] as string));
}
