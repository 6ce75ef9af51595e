import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { isSameSecret } from '../callers/secret.ts';
import { logRequests } from '../http/access-log.ts';
import { noteFailure } from '../http/failures/note-failure.ts';
import { acceptJsonOnly } from '../http/json-body.ts';
import { decorateRequests } from '../http/request-context.ts';
import { closeConnectionsWhenStopping, STOPPING } from '../http/stopping.ts';
import { shapeError } from '../scoring/backends/backend-reply.ts';
import { scoreByMethod } from '../scoring/embedded/embedded-backend.ts';
import type { BackendScore } from '../scoring/scoring-backend.ts';
import { type ReadScoringRequest, RequestRefused } from './read-scoring-request.ts';

/** What the scoring process is made of. */
export interface ScoringAppParts {
  /** What every request must carry. */
  token: string;
  log: Logger;
  readRequest: ReadScoringRequest;
}

/** Where it is asked; what its callers set SCORING_URL to ends so. */
export const SCORE_PATH = '/score';
/** Far above any request of the contract. */
const BODY_LIMIT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than a caller keeps its idle connections, so that it is the caller who ends them. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The embedded method as a backend of its own, by the contract's webhook `scoreSubject`: it keeps nothing and asks
 * nobody, and the same request has the same answer. Opens nothing by itself.
 */
export function buildScoringApp({ token, log, readRequest }: ScoringAppParts): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    genReqId: () => uuidv4(),
    requestIdHeader: false,
    ...STOPPING,
  });
  decorateRequests(app);
  logRequests(app);
  closeConnectionsWhenStopping(app);
  acceptJsonOnly(app);
  answerFailures(app);
  for (const path of ['/livez', '/readyz']) app.get(path, async () => ({ status: 'ok' }));
  const onRequest = bearerCheck(token);
  app.post(SCORE_PATH, { onRequest }, async (request) => {
    const asked = readRequest(request.body);
    request.ledgerId = asked.runId;
    return scoreOf(asked);
  });
  return app;
}

/** Facts that fit the contract can still hold a moment that is in no calendar, and lead to no number. */
function scoreOf(asked: ReturnType<ReadScoringRequest>): BackendScore {
  const score = scoreByMethod(asked);
  if (shapeError(score) !== null)
    throw new RequestRefused('The facts lead to no score: is a moment in no calendar?');
  return score;
}

function bearerCheck(token: string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const given = request.headers.authorization?.replace(/^bearer +/i, 'Bearer ') ?? '';
    if (isSameSecret(`Bearer ${token}`, given)) return;
    request.errorCode = 'unauthorized';
    reply.header('WWW-Authenticate', 'Bearer');
    return refuse(reply, 401, 'Send Authorization: Bearer with the token that was agreed on.');
  };
}

function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    if (thrown instanceof RequestRefused) return refuse(reply, 400, thrown.message);
    const error = noteFailure(request.log, thrown);
    request.errorCode = error.code;
    const tooLarge = error.code === 'payload_too_large';
    const limit = `The body is larger than ${BODY_LIMIT_BYTES / 1024} KiB.`;
    return refuse(reply, error.status, tooLarge ? limit : error.message);
  });
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, `There is nothing here: send scoring requests as POST ${SCORE_PATH}.`),
  );
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').send({ message });
}
