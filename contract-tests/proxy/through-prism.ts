import { contractPath } from '../../sdk/mock/load-prism.ts';
import type { ReceivedAnswer } from '../answers/check-answer.ts';
import { operationOf } from '../answers/documented-answers.ts';
import { type RawRequest, sendRaw } from '../targets/server/raw-request.ts';
import { type PrismProxy, startPrismProxy } from './prism-proxy.ts';

/** Prism in front of the real server: what went through it, and how to stop it. */
export interface PrismInFront {
  /** Sends as `fetch` does. */
  send(request: Request): Promise<Response>;
  /** Sends as `sendRaw` does. */
  sendRaw(baseUrl: string, request: RawRequest): Promise<ReceivedAnswer>;
  /** `operationId status` of every answer of the server's that Prism let through. */
  readonly passed: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Statuses that the server itself refuses a request with that the contract doesn't allow. */
const REFUSALS = [400, 401, 403, 413, 414, 415, 429];

const PRISM_ERROR = 'https://stoplight.io/prism/errors#';

/**
 * Starts `prism proxy --errors` before every server that a request is for. An answer that Prism finds to break the contract
 * rejects. A request that Prism refuses never reaches the server that way; it goes there straight, and rejects if the server
 * takes it: then the two read the contract in two ways.
 */
export function openPrismInFront(): PrismInFront {
  const proxies = new Map<string, Promise<PrismProxy>>();
  const passed = new Set<string>();
  const proxyOf = (upstream: string) => {
    const proxy = proxies.get(upstream) ?? startPrismProxy(contractPath(), new URL(upstream));
    proxies.set(upstream, proxy);
    return proxy;
  };

  async function judge<Reply>(
    method: string,
    url: URL,
    proxied: ReceivedAnswer & { reply: Reply },
    straight: () => Promise<{ status: number; reply: Reply }>,
  ): Promise<Reply> {
    const { status, headers, body } = proxied;
    const name = `${operationOf(method, url.pathname)?.operationId}`;
    if (!headers.get('content-type')?.startsWith('application/problem+json')) {
      passed.add(`${name} ${status}`);
      return proxied.reply;
    }
    const { type, validation } = JSON.parse(body) as { type: string; validation?: unknown };
    const word = type.slice(PRISM_ERROR.length);
    if (!['UNAUTHORIZED', 'UNPROCESSABLE_ENTITY', 'INVALID_CONTENT_TYPE'].includes(word)) {
      throw new Error(`${name}: Prism reports ${word}: ${JSON.stringify(validation ?? body)}`);
    }
    const answer = await straight();
    if (!REFUSALS.includes(answer.status)) {
      throw new Error(
        `${name}: Prism refuses a request that the server answers with ${answer.status}: ${method} ${url.pathname}${url.search} ${body}`,
      );
    }
    return answer.reply;
  }

  return {
    passed,
    async send(request) {
      const url = new URL(request.url);
      const body = request.body ? await request.arrayBuffer() : undefined;
      const { method, headers, signal } = request;
      const init: RequestInit = { method, headers, signal, ...(body && { body }), redirect: 'manual' };
      const straight = async () => {
        const reply = await fetch(url, init);
        return { status: reply.status, reply };
      };
      if (isReserved(body ? Buffer.from(body) : '')) return (await straight()).reply;
      const { url: proxy } = await proxyOf(url.origin);
      const reply = await fetch(new URL(`${url.pathname}${url.search}`, proxy), init);
      const { status, headers: answered } = reply;
      return judge(
        method,
        url,
        { status, headers: answered, body: await reply.clone().text(), reply },
        straight,
      );
    },
    async sendRaw(baseUrl, request) {
      const straight = async () => {
        const reply = await sendRaw(baseUrl, request);
        return { status: reply.status, reply };
      };
      const url = new URL(request.path, baseUrl);
      // Prism reads a dot in a path as every browser does, "here" and "one up": such a request can't come through.
      const isAsWritten = request.path.startsWith(url.pathname);
      if (!isAsWritten || isReserved(request.body ?? '')) return (await straight()).reply;
      const { url: proxy } = await proxyOf(url.origin);
      const reply = await sendRaw(proxy.href, request);
      return judge(request.method, url, { ...reply, reply }, straight);
    },
    async stop() {
      for (const proxy of proxies.values()) await (await proxy).close();
    },
  };
}

/** Recognizes requests for the reserved channel, which the server answers with 501 and Prism therefore itself. */
function isReserved(body: string | Buffer): boolean {
  return /"channel":\s*"mcp"/.test(body.toString());
}
