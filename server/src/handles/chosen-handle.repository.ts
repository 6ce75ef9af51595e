import type { Connection } from '../database/connect.ts';
import { NOT } from '../database/models/expressions.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** The creator handle of an account; null until its owner has chosen one after a first sign-in. */
export async function findHandle(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const account = await models.Account.findOne<{ handle: string | null }>({
    attributes: ['handle'],
    where: { id: accountId },
    raw: true,
    transaction,
  });
  return account?.handle ?? null;
}

/** The handle of the creator that an account has proved to be, as its host calls it; null without one. */
export async function findProvedHandle(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const creator = await models.Creator.findOne<{ handle: string }>({
    attributes: ['handle'],
    where: { accountId, host: { [NOT]: DIRECTORY_HOST } },
    raw: true,
    transaction,
  });
  return creator?.handle ?? null;
}
