import type { Database } from '../database/connect.ts';
import type { HandlersOf } from '../http/contract/handlers-of.ts';
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
}: BalanceHandlerParts): HandlersOf<'getBalance' | 'setOverage'> {
  const balanceOf = async (accountId: string) =>
    presentBalance(await accountBalance(database, planBook, accountId), planBook);

  return {
    async getBalance(request) {
      const { accountId } = requireSession(request);
      return { status: 200, body: await balanceOf(accountId) };
    },
    async setOverage(request) {
      const { accountId, sessionId } = requireSession(request);
      const { enabled, cap = null } = request.body;
      await setOwnOverage(database, planBook, sessionId, readOverageChoice(enabled, cap));
      return { status: 200, body: await balanceOf(accountId) };
    },
  };
}
