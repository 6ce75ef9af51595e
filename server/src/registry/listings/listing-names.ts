import type { Connection } from '../../database/connect.ts';
import { repositoryLabel } from '../../subjects/labels.ts';
import { REPOSITORY_HOSTS } from '../../subjects/naming.ts';
import { normaliseText } from '../../subjects/normalise.ts';
import { type Bearer, loadBearers } from './listing-names.repository.ts';

/** `owner/name` as a row states it, and the host to look on first where something tells one. */
export interface StatedRepository {
  nearHost: string | null;
  repository: string;
}

/** New names by old ones, `owner/name` in lower case, as the files of an import state them. */
export type Renames = ReadonlyMap<string, string>;

/** The listing that a stated name means: its id, null for none, or `several` for a former name that many had. */
export type NamedListing = string | null | 'several';

/** Names stated in a row are followed at most so far from an old one to the present one. */
const LONGEST_CHAIN = 64;

/**
 * Finds the listings that names mean, in order. A listing's present name comes first, then a former one, then whatever
 * the files state as the new name; the well-known hosts are tried in their order.
 */
export async function findListings(
  connection: Connection,
  stated: readonly StatedRepository[],
  renames: Renames,
): Promise<NamedListing[]> {
  const chains = stated.map((name) => renameChain(name, renames));
  const labels = new Set(chains.flat().flatMap(labelsOf));
  const bearers = await loadBearers(connection, [...labels]);
  return chains.map((chain) => {
    for (const name of chain) {
      const found = pick(labelsOf(name), bearers);
      if (found !== null) return found;
    }
    return null;
  });
}

function renameChain(name: StatedRepository, renames: Renames): StatedRepository[] {
  const chain = [name];
  const seen = new Set<string>();
  let current = name.repository.toLowerCase();
  while (!seen.has(current) && chain.length <= LONGEST_CHAIN) {
    seen.add(current);
    const next = renames.get(current);
    if (next === undefined) break;
    chain.push({ nearHost: name.nearHost, repository: next });
    current = next.toLowerCase();
  }
  return chain;
}

function labelsOf({ nearHost, repository }: StatedRepository): string[] {
  const hosts = nearHost === null ? REPOSITORY_HOSTS : [nearHost, ...REPOSITORY_HOSTS];
  return [...hosts.map((host) => repositoryLabel(host, repository)), normaliseText(repository)];
}

function pick(labels: readonly string[], bearers: ReadonlyMap<string, Bearer[]>): NamedListing {
  for (const kind of ['identity', 'former'] as const) {
    for (const label of labels) {
      const [first, ...others] = (bearers.get(label) ?? []).filter((bearer) => bearer.kind === kind);
      if (first) return others.length > 0 ? 'several' : first.id;
    }
  }
  return null;
}
