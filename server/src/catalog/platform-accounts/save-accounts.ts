import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import type { Rejection, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { normaliseText } from '../subjects/normalise.ts';
import { BUILT_IN_HOSTS, DIRECTORY_HOST } from '../subjects/public-path.ts';
import { handleAlias } from '../subjects/stored-aliases.ts';
import type { AccountRow, AccountType } from './write-accounts.ts';
import { displaceAccounts, insertAccounts, refreshAccountAliases, updateAccounts } from './write-accounts.ts';

// Builds SQL for a stored platform account as JSON. `table` is its alias; the statement joins it with a batch row `r`.
const COLUMNS = (table: string) => `json_build_object('id', ${table}.subject_id, 'type', ${table}.type,
  'handle', ${table}.handle, 'platformAccountId', ${table}.platform_account_id, 'formerHandles', ${table}.former_handles,
  'unchanged', ${table}.imported IS NOT DISTINCT FROM r.imported AND ${table}.owner_id IS NOT DISTINCT FROM r.owner_id)`;

/** Matches a whole batch by the platform's account id and by handle, in one statement. */
const MATCH = `
SELECT CASE WHEN i.subject_id IS NOT NULL THEN ${COLUMNS('i')} END AS "byId",
  CASE WHEN n.subject_id IS NOT NULL THEN ${COLUMNS('n')} END AS "byName"
FROM jsonb_to_recordset($1::jsonb) AS r(position int, type text, platform text, handle text, platform_account_id text,
  owner_id uuid, imported jsonb)
LEFT JOIN platform_account i ON i.platform = r.platform AND i.platform_account_id = r.platform_account_id
LEFT JOIN platform_account n ON n.type = r.type AND n.platform = r.platform AND lower(n.handle) = lower(r.handle)
ORDER BY r.position`;

/** A stored platform account that matches a row. */
interface StoredAccount {
  id: string;
  type: AccountType;
  handle: string;
  platformAccountId: string | null;
  formerHandles: readonly string[];
  /** True if the row equals the last stored one and names the same owner. */
  unchanged: boolean;
}

/** Decision for one row of a batch. `displaced` is the platform account that had the row's handle until now. */
type AccountDecision =
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

/**
 * Matches every row with stored platform accounts by platform id and by handle, and decides for each whether to add,
 * update, keep or reject it. Writes nothing and takes no locks.
 */
async function decideAccounts(
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
 * Compares the row's platform id with the stored ones.
 * - Same id, new handle: the account was renamed.
 * - Same handle, different id: a different account now has the handle. It is added, and the stored one gets a
 *   placeholder handle.
 * - No id in the row, or none in the account with its handle: the handle decides.
 * - The id belongs to one account, and the handle to another one without an id: the row is rejected.
 * - Another type: the row is rejected, because a subject's type never changes.
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

/** Selects for each row the creator of the first alias that belongs to exactly one creator. */
const FIND_OWNERS = `SELECT DISTINCT ON (r.position) r.position, (array_agg(a.subject_id))[1] AS id
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, place int, label text)
  JOIN subject_alias a ON a.label = r.label AND a.subject_type = 'creator' AND a.kind = 'identity'
  GROUP BY r.position, r.place HAVING count(*) = 1 ORDER BY r.position, r.place`;

/**
 * Returns the creators that rows name as owners, in order; null if a row names none or an unknown one. A bare handle
 * means the creator on the first built-in host that has it. If only other hosts have the handle, exactly one of them
 * must have it. A handle of this directory comes last.
 */
async function findOwners(
  connection: Connection,
  rows: readonly Pick<AccountRow, 'ownerHandle'>[],
): Promise<(string | null)[]> {
  const asked = rows.flatMap(({ ownerHandle }, position) =>
    (ownerHandle === null ? [] : aliasesOf(ownerHandle)).map((label, place) => ({ position, place, label })),
  );
  if (asked.length === 0) return rows.map(() => null);
  const found = await connection.query<{ position: number; id: string }>(FIND_OWNERS, [
    JSON.stringify(asked),
  ]);
  const owners = new Map(found.map(({ position, id }) => [position, id]));
  return rows.map((_row, position) => owners.get(position) ?? null);
}

function aliasesOf(owner: string): string[] {
  const [host = '', handle] = owner.split(':');
  if (handle !== undefined) return [handleAlias(host, handle)];
  return [
    ...BUILT_IN_HOSTS.map((known) => handleAlias(known, owner)),
    `@${normaliseText(owner)}`,
    handleAlias(DIRECTORY_HOST, owner),
  ];
}

/**
 * Stores a batch of platform accounts with their subjects and aliases. Unchanged rows write nothing. A platform account
 * that loses its handle to another one keeps its id and its history.
 */
export async function saveAccounts(connection: Connection, rows: readonly AccountRow[]): Promise<SavedBatch> {
  const owners = await findOwners(connection, rows);
  const decisions = await decideAccounts(connection, rows, owners);
  const saved = await applyDecisions(connection, decisions);
  return { outcomes: decisions.map(outcomeOf), saved, due: [], dueByLineage: [] };
}

async function applyDecisions(
  connection: Connection,
  decisions: readonly AccountDecision[],
): Promise<string[]> {
  const additions = decisions.filter((decision) => decision.step === 'add');
  const updates = decisions.filter((decision) => decision.step === 'update');
  if (additions.length + updates.length === 0) return [];
  const displaced = [...additions, ...updates].flatMap((decision) => decision.displaced?.id ?? []);
  await lockSubjects(connection, [...updates.map(({ stored }) => stored.id), ...displaced]);
  await displaceAccounts(connection, displaced);
  const added = additions.map(({ row, ownerId }) => ({
    id: uuidv7(),
    row,
    ownerId,
    formerHandles: handlesBefore(row, []),
  }));
  await insertAccounts(connection, added);
  const updated = updates.map(({ row, ownerId, stored }) => ({
    id: stored.id,
    row,
    ownerId,
    formerHandles: handlesBefore(row, [...stored.formerHandles, stored.handle]),
  }));
  await updateAccounts(connection, updated);
  const saved = [...added, ...updated].map(({ id }) => id);
  await refreshAccountAliases(connection, [...new Set([...saved, ...displaced])]);
  return saved;
}

/**
 * Collects former handles: handles that a source stated as former, and earlier handles of the stored account. Leaves
 * out placeholders, and the handle that the account now has.
 */
function handlesBefore(row: AccountRow, known: readonly string[]): string[] {
  const handles = new Map<string, string>();
  for (const handle of [...known, ...row.formerHandles]) {
    // Skip placeholder handles (with `~`) of accounts that lost their handle.
    if (!handle.includes('~') && !handles.has(handle.toLowerCase()))
      handles.set(handle.toLowerCase(), handle);
  }
  handles.delete(row.handle.toLowerCase());
  return [...handles.values()];
}

function outcomeOf(decision: AccountDecision): RowOutcome {
  switch (decision.step) {
    case 'add':
      return 'added';
    case 'update':
      return 'changed';
    case 'keep':
      return 'unchanged';
    case 'reject':
      return { code: decision.code, reason: decision.reason };
  }
}
