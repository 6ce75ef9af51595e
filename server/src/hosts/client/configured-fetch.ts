import { OutboundFailure, readBody, skipContinue } from './read-response.ts';

/** Request as the sign-in libraries make it. */
export interface FetchCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** HTTP client for servers that the operator configured, at any address. */
export interface ConfiguredFetch {
  /**
   * Returns the whole response, whatever its status; does not follow redirects. Throws an OutboundFailure if there is
   * no complete response within the limits.
   */
  fetch(url: string, call?: FetchCall): Promise<Response>;
  /** Cancels requests in flight. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

/**
 * Creates a client for trusted servers, such as an identity provider in the same network. It has no address rules. It
 * has a deadline for the whole response and a size limit, and does not follow redirects.
 */
export function createConfiguredFetch(
  options: { timeoutMs?: number; maxBytes?: number } = {},
): ConfiguredFetch {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  // Loaded on demand, because few processes need it.
  const opening = import('undici').then(
    ({ Agent, buildConnector }) =>
      new Agent({ connect: skipContinue(buildConnector({ timeout: timeoutMs })) }),
  );
  return {
    async fetch(address, call = {}) {
      const agent = await opening;
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
      try {
        const answer = await agent.request({ ...requestOf(address, call), signal });
        const { status, headers, body } = await readBody(answer, maxBytes);
        return new Response(hasBody(status) ? body : null, { status, headers });
      } catch (error) {
        if (error instanceof OutboundFailure) throw error;
        const [kind, message] = signal.aborted
          ? (['timeout', 'no complete response before the deadline'] as const)
          : (['no_answer', 'the connection failed'] as const);
        throw new OutboundFailure(kind, message, { cause: error });
      }
    },
    close: async () => (await opening).destroy(),
  };
}

function requestOf(address: string, { method = 'GET', headers = {}, body }: FetchCall) {
  const url = new URL(address);
  const own = { 'user-agent': 'trust-directory', 'accept-encoding': 'identity' };
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: method as 'GET' | 'POST',
    headers: { ...headers, ...own },
    ...(body === undefined || body === null ? {} : { body: String(body) }),
  };
}

/** Returns false for statuses without a body, for which Response throws. */
function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}
