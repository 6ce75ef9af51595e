import { keyWorks } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';
import { keep, type NamedColumn, NOW, sameName, sql, utcText } from '../database/models/expressions.ts';
import { isRowId } from '../database/row-id.ts';

/** An account's row as far as it is shown. Moments are ISO 8601 UTC. */
export interface AccountRow {
  id: string;
  handle: string | null;
  /** The plan in force. */
  plan: string;
  createdAt: string;
  suspendedAt: Date | null;
  deletedAt: Date | null;
}

/** The same with the number of its keys that work now. */
export interface CountedRow extends AccountRow {
  activeKeys: number;
}

const COLUMNS: (string | NamedColumn)[] = [
  'id',
  'handle',
  [sql('plan_in_force(plan, next_plan, next_plan_from)'), 'plan'],
  utcText('created_at', 'createdAt'),
  'suspendedAt',
  'deletedAt',
];
const COUNTED: (string | NamedColumn)[] = [
  ...COLUMNS,
  [
    sql(`(SELECT count(*)::int FROM access_key k WHERE k.account_id = account.id AND ${keyWorks('k')})`),
    'activeKeys',
  ],
];

/** All accounts in the order of their making, or all that are not deleted. */
export function findAccounts(
  { models, transaction }: Connection,
  { deleted }: { deleted: boolean },
): Promise<CountedRow[]> {
  return models.Account.findAll<CountedRow>({
    attributes: COUNTED,
    where: deleted ? {} : { deletedAt: null },
    order: ['id'],
    raw: true,
    transaction,
  });
}

/** The account of this id, deleted or not; null where there is none. */
export function findAccount({ models, transaction }: Connection, id: string): Promise<AccountRow | null> {
  return models.Account.findOne<AccountRow>({ attributes: COLUMNS, where: { id }, raw: true, transaction });
}

/** The account of this id, or of this handle in whatever case; null where there is none. No handle reads like an id. */
export function findAccountCalled(
  { models, transaction }: Connection,
  name: string,
): Promise<CountedRow | null> {
  return models.Account.findOne<CountedRow>({
    attributes: COUNTED,
    where: isRowId(name) ? { id: name } : sameName('handle', name),
    raw: true,
    transaction,
  });
}

/** Stores a new account; without a handle until its owner has chosen one. */
export async function insertAccount(
  { models, transaction }: Connection,
  account: { id: string; handle: string | null; plan: string },
): Promise<void> {
  await models.Account.create(account, { transaction, returning: false });
}

/** Marks an account as suspended since its first suspension, or as not suspended. */
export async function saveSuspension(
  { models, transaction }: Connection,
  id: string,
  isSuspended: boolean,
): Promise<void> {
  const suspendedAt = isSuspended ? keep('suspended_at', NOW) : null;
  await models.Account.update({ suspendedAt }, { where: { id }, transaction });
}

/** Marks an account as deleted; its handle is free, and nothing more is charged to it. */
export async function saveDeletion({ models, transaction }: Connection, id: string): Promise<void> {
  await models.Account.update(
    { deletedAt: NOW, handle: `deleted-${id}`, overageEnabled: false, overageCap: null },
    { where: { id }, transaction },
  );
}
