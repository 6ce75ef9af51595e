import type { Agent, Dispatcher } from 'undici';
import type { ConnectRules, Resolve } from './guarded-connector.ts';
import { OutboundFailure } from './outbound-failure.ts';
import { type OutboundRules, readTarget, type Target } from './outbound-rules.ts';
import { readBody } from './read-body.ts';

/** A call to be made. */
export interface OutboundCall {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Follows an answer that leads elsewhere on the same origin, as hosts answer for renamed things; else it fails. */
  readonly followRename?: boolean;
  /** Gives the call up early. */
  readonly signal?: AbortSignal;
}

/** An answer of any status that did not lead elsewhere. */
export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read as UTF-8. */
  readonly body: string;
  /** The address that answered: another one than was asked where a rename was followed. */
  readonly url: string;
}

/** Calls other servers within the rules of one purpose. */
export interface GuardedClient {
  /** Rejects with an OutboundFailure, or with the reason of the caller's own signal. */
  call(address: string, call?: OutboundCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface GuardedClientOptions {
  readonly userAgent: string;
  readonly rules: OutboundRules;
  /** For the name, the connection, the headers, the body and renames together. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Stand-ins of tests. */
  readonly resolve?: Resolve;
  readonly isAllowed?: (address: string) => boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const MAX_RENAMES = 2;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The one way out of the server to places that people name. Addresses that the operator configured are connected to
 * wherever they are; every other one over https at a public address, checked in the moment of connecting. No cookies,
 * no proxy, no compression, no address followed to another origin.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { rules, userAgent, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, ...stand } = options;
  let opened: Promise<Agents> | null = null;
  let isClosed = false;
  return {
    async call(address, call = {}) {
      if (!isClosed) opened ??= openAgents({ ...stand, timeoutMs });
      // Loading what calls is no part of the time that others have to answer.
      const agents = await opened;
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
      const send = async (target: Target): Promise<OutboundAnswer> => {
        if (agents === null) throw new Error('the client was closed before its first call');
        const agent = target.isConfigured ? agents.configured : agents.guarded;
        const answer = await agent.request({ ...requestOf(target.url, call, userAgent), signal });
        return { ...(await readBody(answer, maxBytes)), url: target.url.href };
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

/** What calls is loaded with the first call: most processes start without one. */
async function openAgents(rules: ConnectRules): Promise<Agents> {
  const [undici, { guardedConnector }, { skipContinue }] = await Promise.all([
    import('undici'),
    import('./guarded-connector.ts'),
    import('./skip-continue.ts'),
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
    const next = placeOf(answer, target.url);
    if (call.followRename !== true || next?.origin !== target.url.origin || renames === MAX_RENAMES) {
      throw new OutboundFailure('redirected', 'the answer leads to another address');
    }
    target = readTarget(next, rules);
  }
}

function placeOf({ headers: { location } }: OutboundAnswer, base: URL): URL | null {
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
  if (deadline.aborted) return new OutboundFailure('timeout', 'no whole answer in time', { cause: error });
  if (error instanceof OutboundFailure) return error;
  return new OutboundFailure('no_answer', 'the connection failed', { cause: error });
}
