import type { Connection } from '../../database/connect.ts';
import { findDelistings } from './delisting.repository.ts';
import type { ImportedRow, ListedType, ListingRow, RejectCode, Rejection } from './listing-row.ts';
import { COMPARE, MATCH } from './match-listings.sql.ts';

/** A stored listing that a row may be about. */
export interface StoredListing {
  id: string;
  type: ListedType;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  creatorId: string;
  /** `host:handle` of its creator, the handle in lower case. */
  creatorKey: string;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** The row that was stored last, where it says anything else; null for a registration. */
  imported: ImportedRow | null;
  /** The row says word for word what was stored last. */
  unchanged: boolean;
}

/** What is to be done with one row of a batch. */
export type Decision =
  | { readonly step: 'add'; readonly row: ListingRow; readonly displaced: StoredListing | null }
  | {
      readonly step: 'update';
      readonly row: ListingRow;
      readonly stored: StoredListing;
      readonly displaced: StoredListing | null;
    }
  | { readonly step: 'keep' }
  | ({ readonly step: 'reject' } & Rejection);

interface Match {
  byId: StoredListing | null;
  byName: StoredListing | null;
}

/** What two imports say of one listing. */
type Comparison = Pick<StoredListing, 'imported' | 'unchanged'>;

/**
 * Finds the stored listing of every row, by the host's repository id and by name, and decides; what the operator has taken
 * out stays out. Writes and locks nothing.
 */
export async function decideListings(
  connection: Connection,
  rows: readonly ListingRow[],
): Promise<Decision[]> {
  const matches = await matchListings(connection, rows);
  const taken = new Set<string>();
  const decided = rows.map((row, position) => decide(row, matches[position] ?? { byId: null, byName: null }));
  const added = decided.flatMap((decision, position) => (decision.step === 'add' ? [position] : []));
  const delisted = await findDelistings(
    connection,
    added.flatMap((position) => rows[position] ?? []),
  );
  return decided.map((decision, position) => {
    const kept = delisted.get(added.indexOf(position));
    if (kept) return reject(`the operator has taken it out of the directory (${kept.reason})`, 'delisted');
    if (decision.step !== 'update') return decision;
    if (taken.has(decision.stored.id)) return reject('another line is about the same repository');
    taken.add(decision.stored.id);
    return decision;
  });
}

async function matchListings(connection: Connection, rows: readonly ListingRow[]): Promise<Match[]> {
  const asked = rows.map(({ host, repository, hostRepositoryId }, position) => ({
    position,
    host,
    repository,
    host_repository_id: hostRepositoryId,
  }));
  const matches = await connection.query<Match>(MATCH, [JSON.stringify(asked)]);
  const known = matches.flatMap(({ byId, byName }, position) => {
    const stored = byId ?? byName;
    return stored === null ? [] : [{ position, stored, imported: rows[position]?.imported ?? null }];
  });
  if (known.length === 0) return matches;
  const compared = await connection.query<Comparison & { position: number }>(COMPARE, [
    JSON.stringify(known.map(({ position, stored, imported }) => ({ position, id: stored.id, imported }))),
  ]);
  for (const { position, ...comparison } of compared) {
    const { byId, byName } = matches[position] as Match;
    Object.assign(byId ?? byName ?? {}, comparison);
  }
  return matches;
}

/**
 * Where both ids are known they decide: the same id under a new name is the same listing, renamed; another id on a known
 * name is another repository, and the listing that had the name is displaced from it. Without ids the name decides.
 */
export function decide(row: ListingRow, { byId, byName }: Match): Decision {
  const isOther = byName !== null && byName.id !== byId?.id;
  const knowsBoth = row.hostRepositoryId !== null && (byName?.hostRepositoryId ?? null) !== null;
  if (byId !== null && isOther && !knowsBoth) {
    return reject('its repository id is that of another listing, and its name is listed already');
  }
  const stored = byId ?? (isOther && knowsBoth ? null : byName);
  const displaced = isOther && knowsBoth ? byName : null;
  if (stored === null) return { step: 'add', row, displaced };
  if (stored.type !== row.type)
    return reject(`it is listed as ${stored.type}, and a subject's type never changes`);
  return stored.unchanged && displaced === null
    ? { step: 'keep' }
    : { step: 'update', row, stored, displaced };
}

/** What a listing is called that lost its name to another repository: no host allows `~` in a repository's name. */
export function isPlaceholder(repository: string): boolean {
  return repository.includes('~', repository.indexOf('/'));
}

function reject(reason: string, code: RejectCode = 'conflict'): Decision {
  return { step: 'reject', code, reason };
}
