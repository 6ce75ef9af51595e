import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteHandler, RouteHandlerMethod } from 'fastify';
import type { RouteHandlers } from '../../generated/fastify.gen.ts';

/** The contract's name of an operation. */
export type OperationId = keyof RouteHandlers;

type RouteOf<Id extends OperationId> = RouteHandlers[Id] extends RouteHandler<infer Route> ? Route : never;

/** One part of an operation's route; unknown where the contract has none. */
type PartOf<Id extends OperationId, Part extends string> = Part extends keyof RouteOf<Id>
  ? NonNullable<RouteOf<Id>[Part]>
  : unknown;

/** A request of an operation, or of one of several: its parts as the contract's schemas let them pass. */
export type RequestOf<Id extends OperationId> = Id extends OperationId
  ? Omit<FastifyRequest, 'body' | 'params' | 'query'> & {
      readonly body: PartOf<Id, 'Body'>;
      readonly params: PartOf<Id, 'Params'>;
      readonly query: PartOf<Id, 'Querystring'>;
    }
  : never;

/** Statuses that a handler answers with. A failure is thrown: there is one way to tell of it. */
type SuccessOf<Replies> = {
  [Status in keyof Replies]: Status extends 200 | 201 | 202 | 204 ? Status : never;
}[keyof Replies];

/** A text may come as a stream; where the contract has no body there is none. */
type BodyOf<Reply> = undefined extends Reply
  ? { readonly body?: never }
  : { readonly body: [Reply] extends [string] ? Reply | Readable : Reply };

interface Heading<Status> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an operation may answer: a status of the contract with the body that it has there. */
export type AnswerOf<Id extends OperationId> = {
  [Status in SuccessOf<PartOf<Id, 'Reply'>>]: Heading<Status> & BodyOf<PartOf<Id, 'Reply'>[Status]>;
}[SuccessOf<PartOf<Id, 'Reply'>>];

/** Handlers of these operations: each translates a request, lets a story decide, and translates what came of it. */
export type HandlersOf<Id extends OperationId> = {
  readonly [Name in Id]: (request: RequestOf<Name>, reply: FastifyReply) => Promise<AnswerOf<Name>>;
};

/** Any of them, as the router sees it. A method, so that it may ask for the parts that its schemas have judged by then. */
interface AnyHandler {
  handle(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Heading<number> & { readonly body?: unknown }>;
}

/** The routes of the whole contract: each handler's answer becomes the reply. */
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
