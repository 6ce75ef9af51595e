import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteHandler, RouteHandlerMethod } from 'fastify';
import type { RouteHandlers } from '../../../generated/fastify.gen.ts';

/** Operation id of the contract. */
export type OperationId = keyof RouteHandlers;

type RouteOf<Id extends OperationId> = RouteHandlers[Id] extends RouteHandler<infer Route> ? Route : never;

/** Part of an operation's route; `unknown` if the contract does not have this part. */
type PartOf<Id extends OperationId, Part extends string> = Part extends keyof RouteOf<Id>
  ? NonNullable<RouteOf<Id>[Part]>
  : unknown;

/** Request of an operation, or of one of several, typed by the contract's schemas. */
export type RequestOf<Id extends OperationId> = Id extends OperationId
  ? Omit<FastifyRequest, 'body' | 'params' | 'query'> & {
      readonly body: PartOf<Id, 'Body'>;
      readonly params: PartOf<Id, 'Params'>;
      readonly query: PartOf<Id, 'Querystring'>;
    }
  : never;

/** Success statuses of a handler. A handler reports failures by throwing. */
type SuccessOf<Replies> = {
  [Status in keyof Replies]: Status extends 200 | 201 | 202 | 204 ? Status : never;
}[keyof Replies];

/** Body of a response; a text may also be a stream. There is no body if the contract has none. */
type BodyOf<Reply> = undefined extends Reply
  ? { readonly body?: never }
  : { readonly body: [Reply] extends [string] ? Reply | Readable : Reply };

interface Heading<Status> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Response that the contract allows for an operation: a status with its body. */
export type ResponseOf<Id extends OperationId> = {
  [Status in SuccessOf<PartOf<Id, 'Reply'>>]: Heading<Status> & BodyOf<PartOf<Id, 'Reply'>[Status]>;
}[SuccessOf<PartOf<Id, 'Reply'>>];

/** Handlers of operations. Each translates the request, calls a use case, and translates the result. */
export type HandlersOf<Id extends OperationId> = {
  readonly [Name in Id]: (request: RequestOf<Name>, reply: FastifyReply) => Promise<ResponseOf<Name>>;
};

/**
 * Handler as the router calls it. It is declared as a method, so that it accepts handlers of specific requests. The
 * schemas have validated the request before the call.
 */
interface AnyHandler {
  handle(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Heading<number> & { readonly body?: unknown }>;
}

/** Creates the route handlers of the whole contract, which send each handler's result as the reply. */
export function routesOf(handlers: HandlersOf<OperationId>): Record<string, RouteHandlerMethod> {
  const all: Readonly<Record<string, AnyHandler['handle']>> = handlers;
  return Object.fromEntries(
    Object.entries(all).map(([operationId, handle]) => [
      operationId,
      async (request: FastifyRequest, reply: FastifyReply) => {
        const { status, headers = {}, body } = await handle(request, reply);
        return reply.code(status).headers(headers).send(body);
      },
    ]),
  );
}
