import { OutboundFailure } from './outbound-failure.ts';
import { readBody } from './read-body.ts';
import { skipContinue } from './skip-continue.ts';

/** A request as the libraries of sign-in make it. */
export interface FetchCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** `fetch` for servers that the operator named, wherever they are. */
export interface ConfiguredFetch {
  /** The whole answer, whatever its status; a redirect is an answer too. Throws an OutboundFailure. */
  fetch(url: string, call?: FetchCall): Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

/**
 * A way out to servers that the operator vouches for, such as an identity provider in the same network: no rule about
 * addresses, but a deadline for the whole answer, a limit on its size, and no redirect followed.
 */
export function createConfiguredFetch(
  options: { timeoutMs?: number; maxBytes?: number } = {},
): ConfiguredFetch {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  // Loaded for those who make one, which few do.
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
          ? (['timeout', 'no whole answer in time'] as const)
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

/** A Response refuses a body where HTTP has none. */
function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}
