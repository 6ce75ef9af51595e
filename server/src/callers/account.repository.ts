import type { Connection } from '../database/connect.ts';
import { FOR_NO_KEY_UPDATE } from '../database/models/expressions.ts';

/** An account whose row stays as it is, but for its balance, until the transaction ends; null where there is none. */
export function lockAccount(
  { models, transaction }: Connection,
  id: string,
): Promise<{ deletedAt: Date | null } | null> {
  return models.Account.findOne<{ deletedAt: Date | null }>({
    attributes: ['deletedAt'],
    where: { id },
    lock: FOR_NO_KEY_UPDATE,
    raw: true,
    transaction,
  });
}
