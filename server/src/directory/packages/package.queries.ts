import type { Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import type { Connection } from '../../platform/database/connect.ts';

const CONFIRMED: Readonly<Record<Ecosystem, string>> = { npm: 'npm_confirmed', pypi: 'pypi_confirmed' };

/** Returns true if the package of a listing is confirmed: the package and the repository name each other. */
export async function hasConfirmedPackage(
  connection: Connection,
  listingId: string,
  ecosystem: Ecosystem,
): Promise<boolean> {
  const [row] = await connection.query<{ confirmed: boolean }>(
    `SELECT ${CONFIRMED[ecosystem]} AS confirmed FROM listing WHERE subject_id = $1`,
    [listingId],
  );
  return row?.confirmed ?? false;
}
