import { contractPath } from '../../sdk/mock/load-prism.ts';
import type { ReceivedAnswer } from '../answers/check-answer.ts';
import { operationOf } from '../answers/documented-answers.ts';
import { type RawRequest, sendRaw } from '../targets/server/raw-request.ts';
import { type PrismProxy, startPrismProxy } from './prism-proxy.ts';

/** Prism in front of the real server, with the answers that passed it. */
export interface PrismInFront {
  /** Sends a request through Prism, with the interface of `fetch`. */
  send(request: Request): Promise<Response>;
  /** Sends a request through Prism, with the interface of `sendRaw`. */
  sendRaw(baseUrl: string, request: RawRequest): Promise<ReceivedAnswer>;
  /** `operationId status` of each answer of the server that Prism let pass. */
  readonly passed: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Statuses with which the server refuses a request that the contract does not allow. */
const REFUSALS = [400, 401, 403, 413, 414, 415, 429];

const PRISM_ERROR = 'https://stoplight.io/prism/errors#';

/**
 * Starts `prism proxy --errors` in front of each server that gets a request. `send` rejects if Prism finds that the answer
 * breaks the contract. If Prism refuses a request, `send` sends it to the server directly, and rejects if the server accepts
 * it, because Prism and the server then interpret the contract differently.
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
      // Prism resolves `.` and `..` in a path as browsers do, so such a request cannot be sent through it unchanged.
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

/**
 * Recognizes requests for the reserved channel. The server answers them with 501, which Prism would replace by its own
 * answer.
 */
function isReserved(body: string | Buffer): boolean {
  return /"channel":\s*"mcp"/.test(body.toString());
}
