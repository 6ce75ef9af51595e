/**
 * Checks the types of handlers at compile time; this file is never run. Each `@ts-expect-error` marks a line that must
 * not compile.
 */
import type { Agent, RegisteredAgent } from '../../../generated/types.gen.ts';
import {
  type HandlersOf,
  type OperationId,
  type RequestOf,
  type ResponseOf,
  routesOf,
} from './handlers-of.ts';

declare const agent: Agent;
declare const registered: RegisteredAgent;
declare const handlers: HandlersOf<OperationId>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
function holds<_Statement extends true>(): void {}

export function anAnswerIsAsTheContractHasIt(): void {
  const { creator: _left, ...withoutCreator } = agent;
  take<'getAgent'>({ status: 200, body: agent });
  take<'getAgent'>({ status: 200, headers: { Link: '<…>' }, body: agent });
  // @ts-expect-error The body belongs to another operation.
  take<'getAgent'>({ status: 200, body: registered });
  // @ts-expect-error A field is missing.
  take<'getAgent'>({ status: 200, body: withoutCreator });
  // @ts-expect-error A field has the wrong type.
  take<'getAgent'>({ status: 200, body: { ...agent, trustScore: '61' } });
  // @ts-expect-error The value is not in the contract's enum.
  take<'getAgent'>({ status: 200, body: { ...agent, tier: 'highest' } });
  // @ts-expect-error The contract has no such field.
  take<'getAgent'>({ status: 200, body: { ...agent, secret: '' } });
  // @ts-expect-error The body is missing.
  take<'getAgent'>({ status: 200 });
}

export function aStatusIsOneOfTheContract(): void {
  take<'registerAgent'>({ status: 200, body: registered });
  take<'registerAgent'>({ status: 201, body: registered });
  // @ts-expect-error A read never responds 201.
  take<'getAgent'>({ status: 201, body: agent });
  // @ts-expect-error Handlers throw failures instead of returning them.
  take<'getAgent'>({ status: 404, body: { error: 'not_found', message: 'No.', status: 404 } });
  take<'signOut'>({ status: 204 });
  // @ts-expect-error The contract has no body for a 204.
  take<'signOut'>({ status: 204, body: {} });
  take<'exportUsage'>({ status: 200, body: 'day\r\n' });
  // @ts-expect-error The response is a text file, not JSON.
  take<'exportUsage'>({ status: 200, body: { data: [] } });
}

export function aRequestIsAsTheContractLetsItPass(
  list: RequestOf<'listAgents'>,
  create: RequestOf<'createKey'>,
  read: RequestOf<'getAgent'>,
): void {
  holds<Equal<typeof list.query.limit, number>>();
  holds<Equal<typeof list.query.tier, 'high' | 'medium' | 'low' | undefined>>();
  holds<Equal<typeof create.body.name, string | undefined>>();
  holds<Equal<typeof read.params.id, string>>();
  // @ts-expect-error The contract has no such parameter.
  list.query.page;
  // @ts-expect-error The contract has no such field.
  create.body.owner;
  // @ts-expect-error The operation takes no body.
  read.body.id;
}

export function everyOperationHasOneHandler(): void {
  routesOf(handlers);
  const { getAgent: _left, ...others } = handlers;
  // @ts-expect-error A handler is missing.
  routesOf(others);
  const { getAgent } = handlers;
  const one: HandlersOf<'getAgent'> = { getAgent };
  // @ts-expect-error The contract has no operation with this id.
  const unknown: HandlersOf<'getAgents'> = one;
  // @ts-expect-error There is an additional handler.
  const more: HandlersOf<'getAgent'> = { getAgent, getAgents: getAgent };
  // @ts-expect-error The handler belongs to another operation.
  const other: HandlersOf<'listAgents'> = { listAgents: getAgent };
  [unknown, more, other];
}

export const oneThatAnswersWrongly: HandlersOf<'getAgent' | 'signOut'> = {
  // @ts-expect-error The response lacks its body.
  async getAgent() {
    return { status: 200 };
  },
  // @ts-expect-error The handler returns no response.
  async signOut() {},
};

function take<Id extends OperationId>(_answer: ResponseOf<Id>): void {}
