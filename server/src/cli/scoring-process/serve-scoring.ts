import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { readEnvironment } from '../../platform/config/load-config.ts';
import { loadScoringConfig, warnOfMisspelt } from '../../platform/config/process-config.ts';
import type { Contract } from '../../platform/http/contract/contract.ts';
import { describeViolations } from '../../platform/http/contract/describe-violations.ts';
import { openContract } from '../../platform/http/contract/prepared-contract.ts';
import { isSameSecret } from '../../platform/http/credentials/secret.ts';
import { mapAndLogFailure } from '../../platform/http/failures/map-failure.ts';
import { closeConnectionsWhenStopping, SHUTDOWN_OPTIONS } from '../../platform/http/health.ts';
import { acceptJsonOnly } from '../../platform/http/json-body.ts';
import { decorateRequests, logRequests } from '../../platform/http/request-context.ts';
import { unusableAddress } from '../../platform/http/unusable-address.ts';
import { describeShapeError } from '../../scoring/backends/backend-reply.ts';
import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import type { BackendScore, ScoreRequest } from '../../scoring/scoring-backend.ts';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';

/** Thrown for a request that violates the contract; the message names the violations. */
class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** Validates a parsed body as a scoring request. Throws RequestRefused. */
type ReadScoringRequest = (body: unknown) => ScoreRequest;

/**
 * Creates the validator of scoring requests from the contract's webhook `scoreSubject`, whose request has one schema
 * per group of subject types.
 */
export function createRequestReader(contract: Contract): ReadScoringRequest {
  const validators = compileSchemas(contract);
  return (body) => {
    const problems = validators.map((validate) => (validate(body) ? [] : (validate.errors ?? [])));
    if (problems.every((errors) => errors.length > 0)) throw new RequestRefused(describe(problems));
    const request = body as Omit<ScoreRequest, 'now'> & { now: string };
    const now = new Date(request.now);
    if (Number.isNaN(now.getTime())) throw new RequestRefused('now must be a valid date and time.');
    return { ...request, now };
  };
}

interface Schemas {
  components: { schemas: { ScoringRequest: { oneOf: { $ref: string }[] } } };
}

function compileSchemas({ document }: Contract): ValidateFunction[] {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'contract', undefined, false);
  const { oneOf } = (document as unknown as Schemas).components.schemas.ScoringRequest;
  return oneOf.map(({ $ref }) => ajv.compile({ $ref: `contract${$ref}` }));
}

/** Describes the violations of the schema for the subject's type; for an unknown type, lists the valid types. */
function describe(problems: readonly ErrorObject[][]): string {
  const intended = problems.find((errors) => errors.every(({ instancePath }) => instancePath !== TYPE));
  if (intended !== undefined) return describeViolations(intended);
  return `subject.type must be one of: ${SUBJECT_TYPES.join(', ')}.`;
}

const TYPE = '/subject/type';

/** Dependencies of the scoring process. */
interface ScoringAppParts {
  /** Bearer token that every scoring request must send; the health checks need none. */
  token: string;
  log: Logger;
  readRequest: ReadScoringRequest;
}

/** Path of the scoring endpoint; SCORING_URL must end with it. */
const SCORE_PATH = '/score';

/** Maximum body size, much larger than any request that the contract allows. */
const BODY_LIMIT_BYTES = 256 * 1024;

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Timeout of an idle connection. It is longer than the callers' own timeout, so that callers close idle connections
 * first. Otherwise a caller could send a request on a connection that this process is closing.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Builds the scoring process, which serves the embedded method over HTTP as the contract's webhook `scoreSubject`. It
 * is stateless, contacts no other system, and gives equal answers to equal requests. Does not listen yet.
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
    ...SHUTDOWN_OPTIONS,
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

/** Scores a request. Facts can satisfy the contract and still contain an invalid date; such a request gets no score. */
function scoreOf(asked: ReturnType<ReadScoringRequest>): BackendScore {
  const score = scoreByMethod(asked);
  if (describeShapeError(score) !== null)
    throw new RequestRefused('The facts lead to no score. Check that all dates and times are valid.');
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
    const error = mapAndLogFailure(request, thrown);
    request.errorCode = error.code;
    return refuse(reply, error.status, error.message);
  });
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, `Not found. Send scoring requests to POST ${SCORE_PATH}.`),
  );
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').send({ message });
}

/** Runs the scoring process until a signal stops it, then finishes requests in progress and exits. */
export async function serveScoring(): Promise<void> {
  const environment = readEnvironment();
  warnOfMisspelt(environment);
  const { host, port, token, logLevel } = loadScoringConfig(environment);
  const log = pino({ level: logLevel, base: null }, pino.destination(2));
  const app = buildScoringApp({ token, log, readRequest: createRequestReader(await openContract()) });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    app.close().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const address = await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw unusableAddress(error, { host, port }, 'SCORING_');
  });
  process.stdout.write(`Listening for scoring requests at ${address}${SCORE_PATH}\n`);
}
