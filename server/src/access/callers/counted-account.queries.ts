import type { Connection } from '../../platform/database/connect.ts';
import { equalsIgnoringCase, type NamedColumn, sql, utcText } from '../../platform/database/models/table.ts';
import { isRowId } from '../../platform/database/send-statement.ts';
import { keyIsActive } from './caller.fragment.ts';

/** An account's row without private columns. Times are ISO 8601 UTC. */
export interface AccountRow {
  id: string;
  handle: string | null;
  /** Current plan of the account. */
  plan: string;
  createdAt: string;
  suspendedAt: Date | null;
  deletedAt: Date | null;
}

/** An account's row with its number of active keys. */
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
    sql(`(SELECT count(*)::int FROM access_key k WHERE k.account_id = account.id AND ${keyIsActive('k')})`),
    'activeKeys',
  ],
];

/** Lists accounts in the order of their creation; deleted ones only if `deleted` is true. */
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

/** Returns an account by id, deleted or not; null if there is none. */
export function findAccount({ models, transaction }: Connection, id: string): Promise<AccountRow | null> {
  return models.Account.findOne<AccountRow>({ attributes: COLUMNS, where: { id }, raw: true, transaction });
}

/** Returns an account by id, or by handle, ignoring case; null if there is none. No handle has the form of an id. */
export function findAccountByName(
  { models, transaction }: Connection,
  name: string,
): Promise<CountedRow | null> {
  return models.Account.findOne<CountedRow>({
    attributes: COUNTED,
    where: isRowId(name) ? { id: name } : equalsIgnoringCase('handle', name),
    raw: true,
    transaction,
  });
}
