import type { Connection } from '../../platform/database/connect.ts';
import { normaliseText } from '../subjects/normalise.ts';
import { BUILT_IN_HOSTS } from '../subjects/public-path.ts';
import { repositoryAlias } from '../subjects/stored-aliases.ts';
import { type AliasOwner, loadAliasOwners } from './listing.queries.ts';

/** A repository name (`owner/name`) as a row states it, with the host to try first; null if that is unknown. */
export interface StatedRepository {
  nearHost: string | null;
  repository: string;
}

/** New names by old names (`owner/name`, lower case), as stated in an import. */
export type Renames = ReadonlyMap<string, string>;

/**
 * Result of a name lookup: a listing's id, null for none, or `several` if the name is the current, or a former, name of
 * several listings.
 */
export type NamedListing = string | null | 'several';

/** Maximum renames followed from an old name to the current one. */
const MAX_CHAIN = 64;

/**
 * Resolves names to listings, in the order of `stated`. A listing that has the name takes precedence over one that had
 * it. If there is neither, resolves the new name in `renames`. Tries `nearHost` first, then the built-in hosts in
 * order, then all other hosts.
 */
export async function findListings(
  connection: Connection,
  stated: readonly StatedRepository[],
  renames: Renames,
): Promise<NamedListing[]> {
  const chains = stated.map((name) => renameChain(name, renames));
  const labels = new Set(chains.flat().flatMap(aliasesOf));
  const owners = await loadAliasOwners(connection, [...labels]);
  return chains.map((chain) => {
    for (const name of chain) {
      const found = pick(aliasesOf(name), owners);
      if (found !== null) return found;
    }
    return null;
  });
}

function renameChain(name: StatedRepository, renames: Renames): StatedRepository[] {
  const chain = [name];
  const seen = new Set<string>();
  let current = name.repository.toLowerCase();
  while (!seen.has(current) && chain.length <= MAX_CHAIN) {
    seen.add(current);
    const next = renames.get(current);
    if (next === undefined) break;
    chain.push({ nearHost: name.nearHost, repository: next });
    current = next.toLowerCase();
  }
  return chain;
}

function aliasesOf({ nearHost, repository }: StatedRepository): string[] {
  const hosts = nearHost === null ? BUILT_IN_HOSTS : [nearHost, ...BUILT_IN_HOSTS];
  return [...hosts.map((host) => repositoryAlias(host, repository)), normaliseText(repository)];
}

function pick(labels: readonly string[], owners: ReadonlyMap<string, AliasOwner[]>): NamedListing {
  for (const kind of ['identity', 'former'] as const) {
    for (const label of labels) {
      const [first, ...others] = (owners.get(label) ?? []).filter((owner) => owner.kind === kind);
      if (first) return others.length > 0 ? 'several' : first.id;
    }
  }
  return null;
}
