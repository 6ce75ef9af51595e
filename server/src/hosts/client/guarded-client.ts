import type { Agent, Dispatcher } from 'undici';
import type { ConnectRules, Resolve } from './guarded-connector.ts';
import { OutboundFailure, readBody, type TakePiece } from './read-response.ts';

/** Rules for the targets of a client's requests. */
export interface OutboundRules {
  /** Allowed host names in lower case, or `any` if users choose the target. */
  readonly hosts: readonly string[] | 'any';
  /** Origins that the operator configured. Any address and port is allowed, and http too. */
  readonly configuredOrigins: readonly string[];
  /** Allowed ports of all other origins, by default only 443. Tests set them, because they cannot listen on 443. */
  readonly ports?: readonly number[];
}

/** An allowed URL. `isConfigured` is true if its origin is one that the operator configured. */
interface Target {
  readonly url: URL;
  readonly isConfigured: boolean;
}

const HTTPS_PORT = 443;

/**
 * Parses a URL and checks it against the rules. Throws an OutboundFailure if a rule forbids the URL. IP addresses of
 * host names are checked later, when connecting.
 */
export function readTarget(address: string | URL, rules: OutboundRules): Target {
  const url = parse(address);
  if (url.username !== '' || url.password !== '') throw refuse('the address contains credentials');
  if (rules.configuredOrigins.includes(url.origin)) return { url, isConfigured: true };
  if (url.protocol !== 'https:') throw refuse('the address does not use https');
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (!(rules.ports ?? [HTTPS_PORT]).includes(port)) throw refuse('the port is not allowed');
  if (rules.hosts !== 'any' && !rules.hosts.includes(url.hostname)) throw refuse('the host is not allowed');
  return { url, isConfigured: false };
}

function parse(address: string | URL): URL {
  if (address instanceof URL) return address;
  if (!URL.canParse(address)) throw refuse('the address is not a URL');
  return new URL(address);
}

function refuse(reason: string): OutboundFailure {
  return new OutboundFailure('refused', `the call was not made: ${reason}`);
}

/** Request to another server. */
export interface OutboundCall {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Follows up to two redirects on the same origin, which hosts send for renamed resources. By default, a redirect
   * fails.
   */
  readonly followRename?: boolean;
  /** Signal that cancels the request. */
  readonly signal?: AbortSignal;
  /** Limits of this request. Set them only if the format of the answer needs other limits than those of the client. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Called with each piece of a body with status 200. The answer then has no body. */
  readonly take?: TakePiece;
}

/** Response of any status except a redirect. */
export interface OutboundAnswer {
  readonly status: number;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text decoded as UTF-8. */
  readonly body: string;
  /** Final URL. It differs from the requested one if a redirect was followed. */
  readonly url: string;
}

/** HTTP client that sends requests only to targets that its rules allow. */
export interface GuardedClient {
  /**
   * Sends a request. A failure rejects with an OutboundFailure; an abort rejects with the reason of the caller's
   * signal.
   */
  call(address: string, call?: OutboundCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface GuardedClientOptions {
  readonly userAgent: string;
  readonly rules: OutboundRules;
  /** Deadline in milliseconds for DNS, connection, headers, body and redirects together. */
  readonly timeoutMs?: number;
  /** Maximum bytes of a response's body. */
  readonly maxBytes?: number;
  /** Replacement for name resolution in tests. */
  readonly resolve?: Resolve;
  /** Replacement for the check of IP addresses in tests. */
  readonly isAllowed?: (address: string) => boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const MAX_RENAMES = 2;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Creates an HTTP client for URLs that may come from users; no other client may request these. Configured origins are
 * always allowed. All other URLs must use https and an allowed host and port, and resolve to a public address, which is
 * checked when connecting (SSRF protection). Sends no cookies, and uses no proxy or compression. Follows no redirects
 * to other origins.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { rules, userAgent, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, ...stand } = options;
  let opened: Promise<Agents> | null = null;
  let isClosed = false;
  return {
    async call(address, call = {}) {
      if (!isClosed) opened ??= openAgents({ ...stand, timeoutMs });
      // Load the HTTP library before the deadline starts, because loading must not reduce the server's time to
      // respond.
      const agents = await opened;
      const deadline = AbortSignal.timeout(call.timeoutMs ?? timeoutMs);
      const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
      const send = async (target: Target): Promise<OutboundAnswer> => {
        if (agents === null) throw new Error('the client was closed before its first call');
        const agent = target.isConfigured ? agents.configured : agents.guarded;
        const answer = await agent.request({ ...requestOf(target.url, call, userAgent), signal });
        return { ...(await readBody(answer, call.maxBytes ?? maxBytes, call.take)), url: target.url.href };
      };
      try {
        return await sendAndFollow(address, call, rules, send);
      } catch (error) {
        throw explain(error, deadline, call.signal);
      }
    },
    async close() {
      isClosed = true;
      const agents = await opened;
      await Promise.all([agents?.guarded.destroy(), agents?.configured.destroy()]);
    },
  };
}

interface Agents {
  readonly guarded: Agent;
  readonly configured: Agent;
}

/** Loads the HTTP library on the first call, because most processes make none. */
async function openAgents(rules: ConnectRules): Promise<Agents> {
  const [undici, { guardedConnector }, { skipContinue }] = await Promise.all([
    import('undici'),
    import('./guarded-connector.ts'),
    import('./read-response.ts'),
  ]);
  return {
    guarded: new undici.Agent({ connect: guardedConnector(rules) }),
    configured: new undici.Agent({
      connect: skipContinue(undici.buildConnector({ timeout: rules.timeoutMs })),
    }),
  };
}

async function sendAndFollow(
  address: string,
  call: OutboundCall,
  rules: OutboundRules,
  send: (target: Target) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  let target = readTarget(address, rules);
  for (let renames = 0; ; renames += 1) {
    const answer = await send(target);
    if (!REDIRECTS.has(answer.status)) return answer;
    const next = redirectTargetOf(answer, target.url);
    if (call.followRename !== true || next?.origin !== target.url.origin || renames === MAX_RENAMES) {
      throw new OutboundFailure('redirected', 'the response is a redirect');
    }
    target = readTarget(next, rules);
  }
}

function redirectTargetOf({ headers: { location } }: OutboundAnswer, base: URL): URL | null {
  return location !== undefined && URL.canParse(location, base.href) ? new URL(location, base) : null;
}

function requestOf(url: URL, call: OutboundCall, userAgent: string): Dispatcher.RequestOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: call.method ?? 'GET',
    headers: { ...call.headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
    ...(call.body === undefined ? {} : { body: call.body }),
  };
}

function explain(error: unknown, deadline: AbortSignal, given?: AbortSignal): unknown {
  if (given?.aborted) return given.reason;
  if (deadline.aborted)
    return new OutboundFailure('timeout', 'no complete response before the deadline', { cause: error });
  if (error instanceof OutboundFailure) return error;
  return new OutboundFailure('no_answer', 'the connection failed', { cause: error });
}
