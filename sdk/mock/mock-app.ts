import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildApp } from '../../server/src/app.ts';
import type { OperationId, RequestOf } from '../../server/src/http/contract/handlers-of.ts';
import { loadContract } from '../../server/src/http/contract/parse-contract.ts';
import { requireCredential } from '../../server/src/http/credentials/credential.ts';
import { requireSameOrigin } from '../../server/src/http/credentials/request-origin.ts';
import { requireDays } from '../../server/src/plans/days.ts';
import { readRepositoryUrl } from '../../server/src/registry/repository-url.ts';
import { contradictedHeaders } from './contradicted-headers.ts';
import { type PageQuery, pageOfExamples } from './list-pages.ts';
import { isObject, type MeteredCallParts, MeteredCalls } from './metered-calls.ts';
import type { PickedAnswer } from './prism.ts';
import { wishOf } from './wish.ts';

/** What the mock is made of. */
interface MockParts extends Omit<MeteredCallParts, 'operation'> {
  readonly contract: string;
}

/** Hosts that a server takes at registration if its operator names no others. */
export const REPOSITORY_HOSTS = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'];

/** Refuses what a server refuses by its code alone, beyond the contract: it needs no database for that. */
function refuseAsStoriesDo(operationId: string, { body, query }: FastifyRequest): void {
  const { from = null, to = null } = query as { from?: string; to?: string };
  requireDays({ from, to });
  if (operationId !== ('registerAgent' satisfies OperationId)) return;
  readRepositoryUrl((body as { repoHostUrl: string }).repoHostUrl, REPOSITORY_HOSTS);
}

/** The cookie of a session, as a server that is reached by http calls it. */
const COOKIE = 'sid';
/** Any text is a credential here. */
const ANY = { key: () => true, session: (text: string) => text !== '' };
/** What is read again of a call that was answered here. */
const RECEIPT = 'getReceipt' satisfies OperationId;
/** The HTTP layer gives every answer one of its own. */
const OWN_HEADERS = ['x-request-id', 'content-type'];

/**
 * The server's own HTTP layer, with Prism instead of the handlers: the same code checks and refuses everything that can be
 * refused before a database is asked.
 */
export async function buildMockApp({ contract: path, prism, wait }: MockParts): Promise<FastifyInstance> {
  const contract = loadContract(path);
  const [operation] = contract.operations.filter(({ metered }) => metered);
  if (!operation) throw new Error('the contract has no metered operation');
  const calls = new MeteredCalls({ prism, operation, wait });
  const limits = new Map<string, Record<string, string>>();

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { operationId = '', metered } = request.routeOptions.config;
    const wish = wishOf(request.headers.prefer);
    if (wish.answer?.code !== 401 && request.credential?.kind === 'session') {
      requireSameOrigin(request, `${request.protocol}://${request.host}`);
    }
    if (wish.answer?.code !== 401) refuseAsStoriesDo(operationId, request);
    if (metered && wish.answer?.code !== 401) {
      return send(reply, await calls.answer(request, wish));
    }
    await wait(wish.delayMs);
    const picked = await prism.pick(operationId, wish.answer);
    return send(reply, wish.answer ? picked : await completed(operationId, picked, request));
  }

  /** The usual answer, about what was asked for. */
  async function completed(operationId: string, picked: PickedAnswer, request: FastifyRequest) {
    if (operationId !== RECEIPT) return paged(operationId, picked, request);
    const { ledger_id } = request.params as RequestOf<typeof RECEIPT>['params'];
    const receipt = calls.receiptOf(ledger_id);
    return receipt ? { ...picked, body: { ...(picked.body as object), ...receipt } } : picked;
  }

  async function paged(
    operationId: string,
    picked: PickedAnswer,
    { query }: FastifyRequest,
  ): Promise<PickedAnswer> {
    const asked = query as Partial<PageQuery>;
    if (asked.limit === undefined) return picked;
    const page = pageOfExamples(prism, operationId, picked, asked as PageQuery);
    return page ?? prism.pick(operationId, { code: 400, example: 'foreign_cursor' });
  }

  async function limited({ routeOptions, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { operationId } = routeOptions.config;
    if (!operationId) return;
    reply.headers(await exampleLimits(operationId));
    const { answer: wished, delayMs } = wishOf(headers.prefer);
    if (wished?.code !== 429) return;
    const picked = await prism.pick(operationId, wished);
    // An example that knows the operation is of a limit that is looked at later.
    if (wished.example && isObject(picked.body) && typeof picked.body.operation === 'string') return;
    await wait(delayMs);
    send(reply, unread(picked));
  }

  /** The headers of a limit as the contract's examples have them: nothing is counted here. */
  async function exampleLimits(operationId: string): Promise<Record<string, string>> {
    const known = limits.get(operationId);
    if (known) return known;
    const { headers } = await prism.pick(operationId, null);
    const shown = Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-'));
    limits.set(operationId, Object.fromEntries(shown));
    return Object.fromEntries(shown);
  }

  async function admit(request: FastifyRequest): Promise<void> {
    request.credential = requireCredential(request, request.routeOptions.config.schemes ?? [], COOKIE, ANY);
  }

  return buildApp({
    openContract: async () => contract,
    config: { publicUrl: 'http://127.0.0.1', corsOrigins: [], trustProxy: [], publicMaxAgeSeconds: 0 },
    log: SILENT,
    handlers: Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, answer])),
    securityHandlers: { accessKey: admit, session: admit },
    rateLimits: {
      count: (_limit, _key, reply) => limited(reply.request, reply),
      countFailedCredential: async () => undefined,
      isOn: () => true,
      hasFailedTooOften: () => false,
    },
    knownCredentials: { mayExist: async () => true },
    reads: { query: async () => [] },
    registerPages: async () => undefined,
  });
}

/** Sends what Prism made, without its own headers and those of another example. */
function send(reply: FastifyReply, { status, headers, body }: PickedAnswer): FastifyReply {
  const dropped = new Set([...OWN_HEADERS, ...contradictedHeaders(status, body)]);
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name));
  reply.code(status).headers(Object.fromEntries(kept));
  return typeof body === 'string'
    ? reply.type(headers['content-type'] ?? 'text/plain').send(body)
    : reply.send(body);
}

/** A refusal from before the body is read knows nothing of what is in it. */
function unread(picked: PickedAnswer): PickedAnswer {
  if (!isObject(picked.body) || !('operation' in picked.body)) return picked;
  return { ...picked, body: { ...picked.body, operation: null, channel: null } };
}

const nothing = () => undefined;
/** Nobody reads a log of the mock. */
const SILENT: FastifyBaseLogger = {
  level: 'silent',
  fatal: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  silent: nothing,
  child: () => SILENT,
};
