import type { ArtifactRow } from '../registry/artifacts/save-artifacts.ts';
import type { CreatorRow } from '../registry/creators/save-creators.ts';
import type { ImportedRow, ListingRow } from '../registry/listings/listing-row.ts';
import type { AccountRow } from '../registry/platform-accounts/account-row.ts';
import type { RelationRow } from '../registry/relations/save-relations.ts';
import { parseAccount } from './parse-account.ts';
import { parseArtifact } from './parse-artifact.ts';
import { parseCreator } from './parse-creator.ts';
import { parseListing } from './parse-listing.ts';
import { parseRelation } from './parse-relation.ts';
import { unstorable } from './text-rules.ts';

/** The kinds of row, in the order in which they are applied. */
export const ROW_KINDS = ['listing', 'creator', 'account', 'artifact', 'relation'] as const;
/** One of the kinds of row. */
export type RowKind = (typeof ROW_KINDS)[number];

/** A line that was understood. `keys` are what it is about: no two lines of an import may be about the same. */
export type ParsedRow = { readonly keys: readonly string[] } & (
  | { readonly kind: 'listing'; readonly row: ListingRow }
  | { readonly kind: 'creator'; readonly row: CreatorRow }
  | { readonly kind: 'account'; readonly row: AccountRow }
  | { readonly kind: 'artifact'; readonly row: ArtifactRow }
  | { readonly kind: 'relation'; readonly row: RelationRow }
);

/** A line that can't be stored; `kind` is null where not even that is known. */
export interface RefusedRow {
  readonly kind: RowKind | null;
  readonly reason: string;
}

/** Understands one line: its kind is told by its fields. Never throws. */
export function parseRow(line: string): ParsedRow | RefusedRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: null, reason: 'not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: null, reason: 'not a JSON object' };
  }
  const row = value as ImportedRow;
  const kind = kindOf(row);
  if (kind === null) return { kind, reason: 'unknown kind of row' };
  const reason = unstorable(row);
  return reason === null ? parseKind(kind, row) : { kind, reason };
}

/**
 * A relation has two ends, an account a handle on a platform, a creator one on a host, a listing and an artifact a
 * repository; only a listing has a category.
 */
function kindOf(row: ImportedRow): RowKind | null {
  const has = (field: string) => Object.hasOwn(row, field);
  if (has('from') && has('to')) return 'relation';
  if (has('repository')) {
    if (has('category') || has('repoUrl') || has('type')) return 'listing';
    return has('name') && has('kind') ? 'artifact' : null;
  }
  if (!has('handle')) return null;
  if (has('platform')) return 'account';
  return has('host') ? 'creator' : null;
}

function parseKind(kind: RowKind, imported: ImportedRow): ParsedRow | RefusedRow {
  switch (kind) {
    case 'listing': {
      const parsed = parseListing(imported);
      return 'row' in parsed ? { kind, row: parsed.row, keys: listingKeys(parsed.row) } : { kind, ...parsed };
    }
    case 'creator': {
      const parsed = parseCreator(imported);
      return 'row' in parsed ? { kind, row: parsed.row, keys: creatorKeys(parsed.row) } : { kind, ...parsed };
    }
    case 'account': {
      const parsed = parseAccount(imported);
      return 'row' in parsed ? { kind, row: parsed.row, keys: accountKeys(parsed.row) } : { kind, ...parsed };
    }
    case 'artifact': {
      const parsed = parseArtifact(imported);
      return 'row' in parsed
        ? { kind, row: parsed.row, keys: artifactKeys(parsed.row) }
        : { kind, ...parsed };
    }
    case 'relation': {
      const parsed = parseRelation(imported);
      return 'row' in parsed
        ? { kind, row: parsed.row, keys: relationKeys(parsed.row) }
        : { kind, ...parsed };
    }
  }
}

function listingKeys({ host, repository, hostRepositoryId }: ListingRow): string[] {
  const name = `listing ${host}/${repository.toLowerCase()}`;
  return hostRepositoryId === null ? [name] : [name, `repository id ${host} ${hostRepositoryId}`];
}

function creatorKeys({ host, handle }: CreatorRow): string[] {
  return [`creator ${host}:${handle.toLowerCase()}`];
}

function accountKeys({ type, platform, handle, platformAccountId }: AccountRow): string[] {
  const name = `${type} ${platform}:${handle.toLowerCase()}`;
  return platformAccountId === null ? [name] : [name, `account id ${platform} ${platformAccountId}`];
}

function artifactKeys({ repository, name }: ArtifactRow): string[] {
  return [`artifact ${repository.toLowerCase()}#${name}`];
}

function relationKeys({ type, from, to, source }: RelationRow): string[] {
  const ends = [from, to].map(({ repository, path }) => [repository.toLowerCase(), path]);
  return [`relation ${JSON.stringify([type, ...ends, source])}`];
}
