import type { Connection } from '../../database/connect.ts';
import type { Rejection } from '../listings/listing-row.ts';
import type { AccountRow, AccountType } from './account-row.ts';
import { MATCH } from './match-accounts.sql.ts';

/** A stored account that a row may be about. */
interface StoredAccount {
  id: string;
  type: AccountType;
  handle: string;
  platformAccountId: string | null;
  formerHandles: readonly string[];
  /** The row says word for word what was stored last, and its owner is who it was. */
  unchanged: boolean;
}

/** What is to be done with one row of a batch; `displaced` is the account that had its handle until now. */
export type AccountDecision =
  | {
      readonly step: 'add';
      readonly row: AccountRow;
      readonly ownerId: string | null;
      readonly displaced: StoredAccount | null;
    }
  | {
      readonly step: 'update';
      readonly row: AccountRow;
      readonly ownerId: string | null;
      readonly stored: StoredAccount;
      readonly displaced: StoredAccount | null;
    }
  | { readonly step: 'keep' }
  | ({ readonly step: 'reject' } & Rejection);

interface Match {
  byId: StoredAccount | null;
  byName: StoredAccount | null;
}

/** Finds the stored account of every row, by the platform's id and by handle, and decides. Writes and locks nothing. */
export async function decideAccounts(
  connection: Connection,
  rows: readonly AccountRow[],
  owners: readonly (string | null)[],
): Promise<AccountDecision[]> {
  const asked = rows.map(({ type, platform, handle, platformAccountId, imported }, position) => ({
    position,
    type,
    platform,
    handle,
    platform_account_id: platformAccountId,
    owner_id: owners[position] ?? null,
    imported,
  }));
  const matches = await connection.query<Match>(MATCH, [JSON.stringify(asked)]);
  const taken = new Set<string>();
  return rows.map((row, position) => {
    const decision = decide(row, owners[position] ?? null, matches[position] ?? { byId: null, byName: null });
    if (decision.step !== 'update') return decision;
    if (taken.has(decision.stored.id)) return reject('another line is about the same account');
    taken.add(decision.stored.id);
    return decision;
  });
}

/**
 * Where both ids are known they decide: the same id under a new handle is the same account, renamed; another id on a
 * known handle is another account, and the one that had the handle is displaced from it. Without ids the handle decides.
 */
function decide(row: AccountRow, ownerId: string | null, { byId, byName }: Match): AccountDecision {
  const isOther = byName !== null && byName.id !== byId?.id;
  const knowsBoth = row.platformAccountId !== null && (byName?.platformAccountId ?? null) !== null;
  if (byId !== null && byId.type !== row.type)
    return reject(`it is listed as ${byId.type}, and a subject's type never changes`);
  if (byId !== null && isOther && !knowsBoth)
    return reject("its platform's id is that of another account, and its handle is listed already");
  const stored = byId ?? (isOther && knowsBoth ? null : byName);
  const displaced = isOther && knowsBoth ? byName : null;
  if (stored === null) return { step: 'add', row, ownerId, displaced };
  return stored.unchanged && displaced === null
    ? { step: 'keep' }
    : { step: 'update', row, ownerId, stored, displaced };
}

function reject(reason: string): AccountDecision {
  return { step: 'reject', code: 'conflict', reason };
}
