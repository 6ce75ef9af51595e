import type { Connection } from '../../platform/database/connect.ts';
import { refreshPackageStandings } from '../facts/package-standing.ts';
import {
  artifactsInside,
  type PackageNames,
  packageClaimants,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import { updateListingCopies } from '../listings/write-copies.ts';
import { type DecidedPackage, decidePackage } from './confirm-package.ts';
import { loadCandidates, type PackageCandidate, savePackages } from './decide-packages.queries.ts';
import { refreshOfficialMakers } from './official-maker.ts';

/** Result of judging the packages of listings. */
export interface DecidedPackages {
  /** Listings whose packages or confirmations changed. */
  changed: string[];
  /** Packages that the changed listings had or have. */
  names: PackageNames;
}

/**
 * Decides again which packages listings have, and which of them are confirmed, from the rows of lists and the entries
 * of the MCP registry. The caller has locked the listings' subjects, and updates aliases and scores.
 */
export async function decidePackages(
  connection: Connection,
  ids: readonly string[],
): Promise<DecidedPackages> {
  const candidates = ids.length === 0 ? [] : await loadCandidates(connection, ids);
  const judged = candidates.map((listing) => ({ listing, ...judge(listing) })).filter(isChanged);
  await savePackages(
    connection,
    judged.map(({ listing, npm, pypi }) => ({
      id: listing.id,
      npm_package: npm.name,
      pypi_package: pypi.name,
      npm_confirmed: npm.isConfirmed,
      pypi_confirmed: pypi.isConfirmed,
    })),
  );
  const changed = judged.map(({ listing }) => listing.id);
  // Advisories say something about a listing only while its package is confirmed.
  await refreshPackageStandings(connection, changed);
  // The popularity of a listing is a copy, and counts downloads of confirmed packages only.
  if (changed.length > 0) await updateListingCopies(connection, changed);
  return {
    changed,
    names: {
      npm: judged.flatMap(({ listing, npm }) => namesOf(listing.npmPackage, npm.name)),
      pypi: judged.flatMap(({ listing, pypi }) => namesOf(listing.pypiPackage, pypi.name)),
    },
  };
}

interface Judgement {
  listing: PackageCandidate;
  npm: DecidedPackage;
  pypi: DecidedPackage;
}

function judge(listing: PackageCandidate): Omit<Judgement, 'listing'> {
  // No reading of a package registry or of a manifest is stored.
  const evidence = { entries: listing.entries, readings: null };
  return {
    npm: decidePackage(listing, 'npm', statedName(listing.statedNpm), evidence),
    pypi: decidePackage(listing, 'pypi', statedName(listing.statedPypi), evidence),
  };
}

function isChanged({ listing, npm, pypi }: Judgement): boolean {
  return (
    npm.name !== listing.npmPackage ||
    pypi.name !== listing.pypiPackage ||
    npm.isConfirmed !== listing.npmConfirmed ||
    pypi.isConfirmed !== listing.pypiConfirmed ||
    !listing.hasOwnDownloads
  );
}

/** Returns the name that a list gives; null without one, as the import reads it. */
function statedName(value: unknown): string | null {
  return typeof value === 'string' ? value.trim() || null : null;
}

function namesOf(...names: readonly (string | null)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []))];
}

/** Subjects that depend on the packages of listings. */
interface PackageConsequences {
  /** Listings and artifacts to be scored again. */
  due: string[];
  storeAliases: () => Promise<void>;
}

/**
 * Judges the packages of listings again, outside of storing their rows. Returns the subjects to be scored again, and a
 * function that stores the aliases; call it in the same transaction.
 */
export async function refreshPackages(
  connection: Connection,
  ids: readonly string[],
): Promise<PackageConsequences> {
  const { changed, names } = await decidePackages(connection, ids);
  const made = await refreshOfficialMakers(connection, ids);
  if (changed.length + made.length === 0) return { due: [], storeAliases: async () => undefined };
  const claimants = await packageClaimants(connection, names);
  const listings = [...new Set([...changed, ...made, ...claimants.listings])];
  const inside = await artifactsInside(connection, listings);
  return {
    due: [...listings, ...inside],
    storeAliases: async () => {
      await refreshListingAliases(connection, listings);
      await refreshArtifactAliases(connection, claimants.artifacts);
    },
  };
}
