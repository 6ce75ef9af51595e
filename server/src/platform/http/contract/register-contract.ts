import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
  RouteHandlerMethod,
} from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import { isWellFormedSecret } from '../credentials/secret.ts';
import type { LimitName } from '../limits/rate-limits.ts';
import { assertContract, type Contract, type ContractOperation, type ContractRoute } from './contract.ts';
import { describeViolation, describeViolations } from './describe-violations.ts';
import { serializeContract } from './flatten-contract.ts';
import { checkShape, type ShapedRequest } from './validation.ts';

/** Admits a request, or throws. */
type SecurityHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Route handlers by operation id, and security handlers by scheme. */
interface RouteParts {
  readonly handlers: Readonly<Record<string, RouteHandlerMethod>>;
  readonly securityHandlers: Readonly<Record<string, SecurityHandler>>;
}

/**
 * Registers every operation of the contract with its checks and its handler, and serves the contract itself. Throws if
 * contract and code do not match.
 */
export async function registerContract(
  app: FastifyInstance,
  contract: Contract,
  { handlers, securityHandlers }: RouteParts,
): Promise<void> {
  assertContract(contract, handlers, securityHandlers);
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));

  app.addHook<ShapedRequest>('preValidation', (request, _reply, done) => {
    const { operationId, query } = request.routeOptions.config;
    if (operationId) checkShape(request, query ?? {});
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.routeOptions.config.metered) return done();
    checkMeteredRequest(Object(request.body), request.validationError?.validation ?? []);
    done();
  });
  for (const { operationId, ...route } of contract.routes ?? (await routesOf(contract))) {
    const operation = required(operations.get(operationId), operationId);
    const handler = required(handlers[operationId], operationId);
    const admitting = operation.schemes.map((scheme) => required(securityHandlers[scheme], scheme));
    app.route({
      ...route,
      ...(admitting.length > 0 && { preHandler: admitBy(admitting) }),
      attachValidation: operation.metered,
      ...(operation.bodyLimit !== null && { bodyLimit: operation.bodyLimit }),
      config: configOf(operation),
      handler,
    });
  }
  publishContract(app, contract);
}

/** Returns a part that `assertContract` has already required. */
function required<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new DomainError('internal_error', `${name} does not fit the contract`);
  return part;
}

/**
 * Returns a check that admits a request which satisfies one of the schemes. Otherwise the check throws the error of
 * the first scheme.
 */
function admitBy(schemes: readonly SecurityHandler[]): SecurityHandler {
  return async (request, reply) => {
    const refusals: unknown[] = [];
    for (const admit of schemes) {
      try {
        return await admit(request, reply);
      } catch (refusal) {
        refusals.push(refusal);
      }
    }
    throw refusals[0];
  };
}

const isEnumOf = (place: string) => (error: FastifySchemaValidationError) =>
  error.instancePath === place && error.keyword === 'enum';
const isChannel = isEnumOf('/channel');
const isOperation = isEnumOf('/operation');

/**
 * Checks a metered request in the specified order: required fields, types and unknown fields; then that the idempotency
 * key is no access key; then the channel (`mcp` is reserved); then the operation. Throws the first error that applies:
 * invalid_request, invalid_channel, mcp_not_available or invalid_operation.
 */
export function checkMeteredRequest(
  body: { channel?: unknown; idempotency_key?: unknown },
  violations: FastifySchemaValidationError[],
): void {
  const shape = violations.filter((error) => !isChannel(error) && !isOperation(error));
  if (shape.length > 0) throw new DomainError('invalid_request', describeViolations(shape));
  if (isWellFormedSecret(`${body.idempotency_key}`)) {
    // The idempotency key is stored with the run and shown in receipts forever.
    throw new DomainError(
      'invalid_request',
      'idempotency_key is an access key, which must stay secret. Use a random UUID.',
    );
  }
  const channel = violations.find(isChannel);
  if (channel) throw new DomainError('invalid_channel', describeViolation(channel));
  if (body.channel === 'mcp') throw new DomainError('mcp_not_available', 'mcp_not_available');
  const operation = violations.find(isOperation);
  if (operation) throw new DomainError('invalid_operation', describeViolation(operation));
}

function limitOf(operation: ContractOperation): LimitName {
  if (operation.schemes.length === 0) return 'public';
  if (operation.metered) return 'metered';
  return operation.method === 'GET' ? 'read' : 'write';
}

/** Builds the route configuration that the request hooks read. */
function configOf(operation: ContractOperation): FastifyContextConfig {
  const { operationId, query, takesBody, metered, schemes, scopes, judgesCredential, unranked } = operation;
  return {
    operationId,
    query,
    takesBody,
    metered,
    limit: limitOf(operation),
    schemes,
    scopes,
    judgesCredential,
    unranked,
    public: schemes.length === 0,
  };
}

/**
 * Creates the routes of a contract for which the build has prepared none. Loads fastify-openapi-glue, which takes time.
 */
async function routesOf({ document }: Contract): Promise<readonly ContractRoute[]> {
  const { createRoutes } = await import('./prepare-contract.ts');
  return createRoutes(document);
}

/**
 * Serves the contract as written (YAML), and flattened (JSON) for tools that follow only references to schemas. Each
 * form is serialized once.
 */
function publishContract(app: FastifyInstance, { text, document, routes }: Contract): void {
  const options = { config: { limit: 'public', public: true } } as const;
  const yaml = Buffer.from(text);
  const write = () => Buffer.from(serializeContract(document));
  // Without routes, the build has not validated this contract. Serialize it now, so that a broken reference stops the
  // start.
  let json = routes === null ? write() : null;
  app.get('/openapi.yaml', options, async (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(yaml),
  );
  app.get('/openapi.json', options, async (_request, reply) => {
    json ??= write();
    return reply.type('application/json; charset=utf-8').send(json);
  });
}
