import type { Connection } from '../platform/database/connect.ts';
import { columnOr, NOW } from '../platform/database/models/table.ts';

/** Stores a new account. Its handle is null until the owner has chosen one. */
export async function insertAccount(
  { models, transaction }: Connection,
  account: { id: string; handle: string | null; plan: string },
): Promise<void> {
  await models.Account.create(account, { transaction, returning: false });
}

/** Marks an account as suspended or not suspended. Suspending it again keeps the time of the first suspension. */
export async function saveSuspension(
  { models, transaction }: Connection,
  id: string,
  isSuspended: boolean,
): Promise<void> {
  const suspendedAt = isSuspended ? columnOr('suspended_at', NOW) : null;
  await models.Account.update({ suspendedAt }, { where: { id }, transaction });
}

/** Marks an account as deleted, replaces its handle by `deleted-<id>` and disables its overage. */
export async function saveDeletion({ models, transaction }: Connection, id: string): Promise<void> {
  await models.Account.update(
    { deletedAt: NOW, handle: `deleted-${id}`, overageEnabled: false, overageCap: null },
    { where: { id }, transaction },
  );
}
