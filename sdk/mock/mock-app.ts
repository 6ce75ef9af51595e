import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireDays } from '../../server/src/access/plans/days.ts';
import { buildApp } from '../../server/src/app.ts';
import { readRepositoryUrl } from '../../server/src/catalog/repository-url.ts';
import type { OperationId, RequestOf } from '../../server/src/platform/http/contract/handlers-of.ts';
import { loadContract } from '../../server/src/platform/http/contract/parse-contract.ts';
import {
  requireCredential,
  requireSameOrigin,
} from '../../server/src/platform/http/credentials/credential.ts';
import { conflictingHeaders } from './conflicting-headers.ts';
import { type PageQuery, pageOfExamples } from './list-pages.ts';
import { lookupOfExamples } from './look-up-examples.ts';
import { isObject, type MeteredCallDependencies, MeteredCalls } from './metered-calls.ts';
import { parsePrefer } from './prefer-header.ts';
import type { PickedAnswer } from './prism.ts';

interface MockParts extends Omit<MeteredCallDependencies, 'operation'> {
  readonly contract: string;
}

/** Repository hosts that a server accepts by default. */
export const REPOSITORY_HOSTS = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'];

/** Throws the errors of a server's checks that are not in the contract and need no database. */
function refuseAsStoriesDo(operationId: string, { body, query }: FastifyRequest): void {
  const { from = null, to = null } = query as { from?: string; to?: string };
  // `from` and `to` are times for compareScores, and days for every other operation.
  if (operationId !== ('compareScores' satisfies OperationId)) requireDays({ from, to });
  if (operationId !== ('registerAgent' satisfies OperationId)) return;
  readRepositoryUrl((body as { repoHostUrl: string }).repoHostUrl, REPOSITORY_HOSTS);
}

/** Name of a server's session cookie over http. */
const COOKIE = 'sid';
/** Accepts any access key, and any session that is not empty. */
const ANY = { key: () => true, session: (text: string) => text !== '' };
/** Operation that reads receipts of calls to this mock. */
const RECEIPT = 'getReceipt' satisfies OperationId;
/** Operation that looks up many subjects in one request. */
const LOOKUP = 'lookupSubjects' satisfies OperationId;
/** Headers that the HTTP layer sets itself. */
const OWN_HEADERS = ['x-request-id', 'content-type'];

/**
 * Builds the server's HTTP layer with Prism instead of the handlers, so that the same code performs all checks that need no
 * database.
 */
export async function buildMockApp({ contract: path, prism, wait }: MockParts): Promise<FastifyInstance> {
  const contract = loadContract(path);
  const [operation] = contract.operations.filter(({ metered }) => metered);
  if (!operation) throw new Error('the contract has no metered operation');
  const calls = new MeteredCalls({ prism, operation, wait });
  const limits = new Map<string, Record<string, string>>();

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { operationId = '', metered } = request.routeOptions.config;
    const wish = parsePrefer(request.headers.prefer);
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

  /** Returns the default response, with the ids and subjects of the request. */
  async function completed(operationId: string, picked: PickedAnswer, request: FastifyRequest) {
    if (operationId === LOOKUP) {
      const { subjects } = request.body as RequestOf<typeof LOOKUP>['body'];
      return { ...picked, body: lookupOfExamples(prism, operationId, subjects) };
    }
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
    const { answer: wished, delayMs } = parsePrefer(headers.prefer);
    if (wished?.code !== 429) return;
    const picked = await prism.pick(operationId, wished);
    // A 429 example with an operation is that of the account's rate limit, which is checked later.
    if (wished.example && isObject(picked.body) && typeof picked.body.operation === 'string') return;
    await wait(delayMs);
    send(reply, unread(picked));
  }

  /** Returns the rate limit headers of the contract's examples, because the mock counts no requests. */
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

/** Sends Prism's response, without Prism's own headers and those of other examples. */
function send(reply: FastifyReply, { status, headers, body }: PickedAnswer): FastifyReply {
  const dropped = new Set([...OWN_HEADERS, ...conflictingHeaders(status, body)]);
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name));
  reply.code(status).headers(Object.fromEntries(kept));
  return typeof body === 'string'
    ? reply.type(headers['content-type'] ?? 'text/plain').send(body)
    : reply.send(body);
}

/** Sets operation and channel to null in an error that is sent before the body is read. */
function unread(picked: PickedAnswer): PickedAnswer {
  if (!isObject(picked.body) || !('operation' in picked.body)) return picked;
  return { ...picked, body: { ...picked.body, operation: null, channel: null } };
}

const nothing = () => undefined;
/** Logger that discards everything. */
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
