import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS } from '../plans/plans.ts';
import type { Meter } from './meter.ts';

/** Where no route takes a request: its path is anybody's text. */
const NO_ROUTE = 'none';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const KNOWN_OPERATIONS: ReadonlySet<string> = new Set(OPERATIONS);

/** Counts every answer by its route's template, and metered calls by what became of them. */
export function measureRequests(app: FastifyInstance, meter: Meter): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url = NO_ROUTE, config } = request.routeOptions;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const seconds = reply.elapsedTime / 1_000;
    meter.observe('trust_directory_http_request_duration_seconds', { method, route: url, status }, seconds);
    if (request.errorCode) meter.add('trust_directory_http_refusals_total', { code: request.errorCode });
    if (config.metered) {
      const labels = { operation: operationOf(request), outcome: outcomeOf(request, reply) };
      meter.add('trust_directory_metered_calls_total', labels);
    }
    done();
  });
}

/** The body of a refused call may name anything. */
function operationOf({ body }: FastifyRequest): string {
  const operation = String((body as { operation?: unknown } | undefined)?.operation);
  return KNOWN_OPERATIONS.has(operation) ? operation : 'unknown';
}

function outcomeOf(request: FastifyRequest, reply: FastifyReply): string {
  if (request.errorCode) return request.errorCode;
  if (reply.hasHeader('Idempotent-Replayed')) return 'replayed';
  return request.ledgerId ? 'settled' : 'quoted';
}
