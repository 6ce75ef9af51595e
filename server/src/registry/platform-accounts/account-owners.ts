import type { Connection } from '../../database/connect.ts';
import { handleLabel } from '../../subjects/labels.ts';
import { DIRECTORY_HOST, REPOSITORY_HOSTS } from '../../subjects/naming.ts';
import { normaliseText } from '../../subjects/normalise.ts';
import { FIND_OWNERS } from './account-owners.sql.ts';
import type { AccountRow } from './account-row.ts';

/**
 * The creators that rows name as owners, in order; null where none is named or known. A bare handle means the first host
 * that has it; among hosts that are not well known it has to be the only one.
 */
export async function findOwners(
  connection: Connection,
  rows: readonly Pick<AccountRow, 'ownerHandle'>[],
): Promise<(string | null)[]> {
  const asked = rows.flatMap(({ ownerHandle }, position) =>
    (ownerHandle === null ? [] : labelsOf(ownerHandle)).map((label, place) => ({ position, place, label })),
  );
  if (asked.length === 0) return rows.map(() => null);
  const found = await connection.query<{ position: number; id: string }>(FIND_OWNERS, [
    JSON.stringify(asked),
  ]);
  const owners = new Map(found.map(({ position, id }) => [position, id]));
  return rows.map((_row, position) => owners.get(position) ?? null);
}

function labelsOf(owner: string): string[] {
  const [host = '', handle] = owner.split(':');
  if (handle !== undefined) return [handleLabel(host, handle)];
  return [
    ...REPOSITORY_HOSTS.map((known) => handleLabel(known, owner)),
    `@${normaliseText(owner)}`,
    handleLabel(DIRECTORY_HOST, owner),
  ];
}
