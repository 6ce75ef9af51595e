import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { OverageRequest } from '../generated/types.gen.ts';
import { requireSession } from '../http/request-context.ts';
import type { PlanBook } from '../plans/plans.ts';
import { accountBalance } from './account-balance.ts';
import { presentBalance } from './balance.presenter.ts';
import { readOverageChoice, setOwnOverage } from './set-overage.ts';

export interface BalanceHandlerParts {
  database: Database;
  planBook: PlanBook;
}

/** Plan, balances and overage, for the console: translates requests and answers, decides nothing. */
export function createBalanceHandlers({
  database,
  planBook,
}: BalanceHandlerParts): Pick<RouteHandlers, 'getBalance' | 'setOverage'> {
  const balanceOf = async (accountId: string) =>
    presentBalance(await accountBalance(database, planBook, accountId), planBook);

  return {
    async getBalance(request, reply) {
      const { accountId } = requireSession(request as FastifyRequest);
      return reply.code(200).send(await balanceOf(accountId));
    },
    async setOverage(request, reply) {
      const { accountId, sessionId } = requireSession(request as FastifyRequest);
      const { enabled, cap = null } = request.body as OverageRequest;
      await setOwnOverage(database, planBook, sessionId, readOverageChoice(enabled, cap));
      return reply.code(200).send(await balanceOf(accountId));
    },
  };
}
