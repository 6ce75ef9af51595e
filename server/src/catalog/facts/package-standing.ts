import type { Connection } from '../../platform/database/connect.ts';
import { everyStanding, type OpenVulnerability, type PackageStanding } from '../../scoring/fact-types.ts';
import { isAffected } from '../advisories/affected-versions.ts';
import { ECOSYSTEM_RULES, type PackageName } from '../advisories/ecosystems.ts';
import { loadFaults, type PackageFault, type PackageFaults } from '../advisories/judge-packages.ts';
import { deleteFacts, upsertFacts } from './observed-facts.queries.ts';
import type { ObservedFact, ShownAdvisory } from './observed-facts.ts';
import { type JudgedPackage, loadJudgedPackages, STANDING_SOURCE } from './package-standing.queries.ts';

/**
 * Maximum listings per statement, which takes at most 10,000 packages. Each listing has at most two confirmed packages,
 * and possibly former ones with malware.
 */
const MAX_LISTINGS = 4_000;

/** A package with malware that is no longer judged for a listing, because it belongs to another repository. */
export interface ReleasedPackage extends PackageName {
  /** Id of the listing. */
  readonly id: string;
}

/**
 * Judges the packages of listings again by the stored advisories, and stores the result as the fact `package_standing`:
 * the worst standing of the packages, with the standings of other packages that have vulnerabilities or malware. A
 * package with malware that was confirmed is still judged after another one has replaced it, unless it is among
 * `released`. A listing has no such fact if it has neither a confirmed package nor such a former one, or if nothing is
 * known about its packages. Writes only changed facts. The caller has locked the listings' subjects. Returns the
 * listings whose fact changed; they must be scored again.
 */
export async function refreshPackageStandings(
  connection: Connection,
  listingIds: readonly string[],
  released: readonly ReleasedPackage[] = [],
): Promise<string[]> {
  const changed: string[] = [];
  for (let first = 0; first < listingIds.length; first += MAX_LISTINGS) {
    const some = listingIds.slice(first, first + MAX_LISTINGS);
    changed.push(...(await refreshSome(connection, some, released)));
  }
  return changed;
}

async function refreshSome(
  connection: Connection,
  listingIds: readonly string[],
  released: readonly ReleasedPackage[],
): Promise<string[]> {
  const loaded = (await loadJudgedPackages(connection, listingIds, STANDING_SOURCE)).map(normalised);
  const packages = withoutDuplicates(loaded, released);
  const judged = packages.length === 0 ? [] : await loadFaults(connection, packages);
  const standings = new Map<string, JudgedStanding[]>();
  for (const [index, each] of packages.entries()) {
    const standing = standingOf(each, judged[index] ?? { faults: [], isCurrent: false, asOf: null });
    // A package that no longer belongs to the listing counts only for its malware.
    const counts = standing !== null && (each.isOwn || standing.value.malwareVersions.length > 0);
    if (counts) standings.set(each.id, [...(standings.get(each.id) ?? []), standing]);
  }
  const facts = [...standings].map(([id, some]) => [id, combined(some)] as const);
  const without = listingIds.filter((id) => !standings.has(id));
  const removed = await deleteFacts(connection, without, 'package_standing', STANDING_SOURCE);
  if (removed.length > 0) await deleteFacts(connection, removed, 'package_advisories', STANDING_SOURCE);
  if (facts.length === 0) return removed;
  // The texts of advisories do not affect scores, so only changed standings are returned.
  await upsertFacts(connection, facts.map(advisoriesFact), { renews: false });
  const stored = await upsertFacts(connection, facts.map(standingFact), { renews: false });
  return [...removed, ...stored];
}

function normalised(each: JudgedPackage): JudgedPackage {
  const { normaliseName } = ECOSYSTEM_RULES[each.ecosystem];
  const name = normaliseName(each.name);
  const { published } = each;
  return { ...each, name, published: published && normaliseName(published.name) === name ? published : null };
}

/** Leaves out former packages that are in `released`, or that are again the listing's own. */
function withoutDuplicates(
  packages: readonly JudgedPackage[],
  released: readonly ReleasedPackage[],
): JudgedPackage[] {
  const keyOf = ({ id, ecosystem, name }: ReleasedPackage) => `${id} ${ecosystem}:${name}`;
  const known = new Set(released.map(keyOf));
  return packages.filter((each) => {
    if (!each.isOwn && known.has(keyOf(each))) return false;
    known.add(keyOf(each));
    return true;
  });
}

/**
 * Combines the standings of a listing's packages: the worst one, with the others that have vulnerabilities or malware.
 */
function combined(standings: readonly JudgedStanding[]): JudgedStanding {
  const sorted = standings.toSorted((one, other) => gravity(other.value) - gravity(one.value));
  const [first, ...others] = sorted;
  if (first === undefined) throw new Error('a listing with a standing has at least one');
  const faulty = others.filter(({ value }) => gravity(value) > 0);
  if (faulty.length === 0) return first;
  const advisories = new Map(
    [first, ...faulty].flatMap((each) => each.advisories).map((each) => [each.id, each]),
  );
  return {
    value: { ...first.value, others: faulty.map(({ value }) => value) },
    advisories: [...advisories.values()].slice(0, MAX_SHOWN),
    asOf: first.asOf,
    releasedAt: Object.assign({}, ...faulty.map((each) => each.releasedAt), first.releasedAt),
  };
}

function standingFact([subjectId, judged]: readonly [string, JudgedStanding]): ObservedFact {
  return { subjectId, fact: 'package_standing', value: judged.value, ...sourceOf(judged) };
}

function advisoriesFact([subjectId, judged]: readonly [string, JudgedStanding]): ObservedFact {
  const { advisories, releasedAt } = judged;
  const value = { advisories, ...(Object.keys(releasedAt).length > 0 && { releasedAt }) };
  return { subjectId, fact: 'package_advisories', value, ...sourceOf(judged) };
}

/**
 * Returns the source, URL and time of a fact about a standing. The time is that of the last reading of a whole advisory
 * database; without such a reading, it is left out.
 */
function sourceOf({ value: { ecosystem, name }, advisories, asOf }: JudgedStanding) {
  const list = `https://osv.dev/list?q=${encodeURIComponent(name)}&ecosystem=${ECOSYSTEM_RULES[ecosystem].osvName}`;
  const observed = asOf === null ? {} : { observedAt: asOf };
  return { source: STANDING_SOURCE, url: advisories[0]?.url ?? list, license: null, ...observed };
}

/**
 * Ranks a standing from 3 to 0: malware in the published version or in all versions (3), in other versions (2), proofs
 * of concept or open vulnerabilities (1), none of these (0).
 */
function gravity(standing: PackageStanding): number {
  const { published, everyVersion, malwareVersions, isResearch, vulnerabilities } = standing;
  if (published === 'malware' || everyVersion) return 3;
  if (malwareVersions.length > 0 && !isResearch) return 2;
  return vulnerabilities.length > 0 || malwareVersions.length > 0 ? 1 : 0;
}

/** Categories of malicious packages. Other categories than these and `research_poc` are vulnerabilities. */
const MALICIOUS: readonly string[] = ['malware', 'dependency_confusion'];
const RESEARCH = 'research_poc';
const MAX_SHOWN = 20;

/** Standing of a package, and at most `MAX_SHOWN` advisories behind it: malware before vulnerabilities. */
interface JudgedStanding {
  readonly value: PackageStanding;
  readonly advisories: readonly ShownAdvisory[];
  /** Time of the last reading of the ecosystem's advisories; null if none was read as a whole. */
  readonly asOf: string | null;
  /** Release times of versions with malware, as far as they are known. */
  readonly releasedAt: Readonly<Record<string, string>>;
}

/**
 * Returns the standing of a package by its vulnerabilities and malware (`faults`). Returns null if nothing is known:
 * there is no fault, and the last reading of the advisories is too old to say that there is none.
 */
function standingOf(
  { ecosystem, name, published, defaultVersion, versionTimes, former }: Omit<JudgedPackage, 'id' | 'isOwn'>,
  { faults, isCurrent, asOf }: PackageFaults,
): JudgedStanding | null {
  if (faults.length === 0 && !isCurrent) return null;
  const version = published?.version ?? null;
  const ofKind = (isKind: (category: string) => boolean) =>
    faults.filter(({ advisory }) => isKind(advisory.category));
  const malicious = ofKind((category) => MALICIOUS.includes(category));
  const research = ofKind((category) => category === RESEARCH);
  const named = malicious.length > 0 ? malicious : research;
  const affecting = (some: readonly PackageFault[], asked = version) =>
    asked === null ? [] : some.filter((fault) => affects(ecosystem, asked, fault));
  const isMalware = affecting(malicious).length > 0;
  const isDefaultMalware = defaultVersion !== null && affecting(malicious, defaultVersion).length > 0;
  const open = affecting(ofKind((category) => !MALICIOUS.includes(category) && category !== RESEARCH));
  const malwareVersions = [...new Set(named.flatMap(({ advisory }) => advisory.affected))];
  const standing = {
    ecosystem,
    name,
    version,
    published: isMalware ? 'malware' : version === null ? 'unread' : 'not_affected',
    everyVersion: malicious.some(coversEveryVersion),
    malwareVersions,
    isResearch: malicious.length === 0 && research.length > 0,
    vulnerabilities: open.map((fault) => vulnerabilityOf(ecosystem, version ?? '', fault)),
    advisoryIds: faults.map(({ advisory }) => advisory.id),
    disputedVersions: [...new Set(malicious.flatMap(({ advisory }) => advisory.disputedVersions))],
    ...(isDefaultMalware && { defaultMalware: defaultVersion }),
    ...(!isCurrent && { isOutdated: true as const }),
  } as const;
  const advisories = [...named, ...open].slice(0, MAX_SHOWN).map(({ advisory }) => shownOf(advisory));
  const soundSince =
    published === null || isMalware || malicious.length === 0
      ? null
      : earliest(soundTime(ecosystem, published, malicious), formerSoundSince(former, standing));
  const times = malwareVersions.flatMap((named) => {
    // A range such as `>=1.0.16` begins with the release of its first version.
    const first = named.replace(/^>=(\S+)$/, '$1');
    const at = Object.hasOwn(versionTimes ?? {}, first) ? versionTimes?.[first] : undefined;
    return at === undefined ? [] : [[named, at] as const];
  });
  return { value: { ...standing, soundSince }, advisories, asOf, releasedAt: Object.fromEntries(times) };
}

function affects(ecosystem: PackageName['ecosystem'], version: string, { records }: PackageFault): boolean {
  return records.some((record) => isAffected(ecosystem, version, record));
}

/** Returns true if a record covers every version. Some sources write `0.0.0` for the first version. */
function coversEveryVersion({ advisory }: PackageFault): boolean {
  return advisory.affected.includes('all versions') || advisory.affected.includes('>=0.0.0');
}

/**
 * Returns the time from which the published version counts as sound (without malware). Usually this is its release;
 * null if that time is unknown. If a version with malware has a higher number, the registry has gone back to the
 * published version; the time is then the later of the release of the published version and the publication of the
 * records about malware.
 */
function soundTime(
  ecosystem: PackageName['ecosystem'],
  { version, releasedAt }: { version: string; releasedAt: string | null },
  malicious: readonly PackageFault[],
): string | null {
  if (releasedAt === null) return null;
  const { compareVersions } = ECOSYSTEM_RULES[ecosystem];
  const bounds = malicious
    .flatMap(({ records }) => records)
    .flatMap(({ versions, intervals }) => [...versions, ...intervals.flatMap(({ from }) => from ?? [])]);
  if (!bounds.some((bound) => (compareVersions(bound, version) ?? 0) > 0)) return isoOf(releasedAt);
  const known = malicious.map(({ advisory }) => isoOf(advisory.publishedAt ?? advisory.modifiedAt));
  return [isoOf(releasedAt), ...known].sort().at(-1) ?? null;
}

/**
 * Returns `soundSince` of the stored standing of this package. Returns null if there is none, if the version that was
 * published then was not known to be without malware, or if a version with malware has been added since.
 */
function formerSoundSince(
  stored: PackageStanding | null,
  { ecosystem, name, malwareVersions }: Pick<PackageStanding, 'ecosystem' | 'name' | 'malwareVersions'>,
): string | null {
  const former = (stored === null ? [] : everyStanding(stored)).find(
    (each) => each.ecosystem === ecosystem && each.name === name,
  );
  if (former?.published !== 'not_affected') return null;
  const isSame = malwareVersions.every((version) => former.malwareVersions.includes(version));
  return isSame ? former.soundSince : null;
}

/**
 * Returns the earlier of two times, or the only one that is not null, so that a later sound version does not restart
 * the period of the Warning.
 */
function earliest(one: string | null, other: string | null): string | null {
  return [one, other].filter((time) => time !== null).sort()[0] ?? null;
}

function isoOf(time: string): string {
  return new Date(time).toISOString();
}

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/**
 * Describes a vulnerability of `version`. `fixedIn` is the lowest unaffected version at which an affected range with
 * `version` ends; null if there is none.
 */
function vulnerabilityOf(
  ecosystem: PackageName['ecosystem'],
  version: string,
  fault: PackageFault,
): OpenVulnerability {
  const { compareVersions } = ECOSYSTEM_RULES[ecosystem];
  const bounds = fault.records
    .flatMap(({ intervals }) => intervals)
    .filter((interval) => isAffected(ecosystem, version, { versions: [], intervals: [interval] }))
    .flatMap(({ before }) => before ?? [])
    .filter((bound) => !affects(ecosystem, bound, fault))
    .sort((one, other) => compareVersions(one, other) ?? 0);
  const severity = SEVERITIES.find((each) => each === fault.advisory.severity) ?? null;
  return { id: fault.advisory.id, severity, fixedIn: bounds[0] ?? null };
}

function shownOf(advisory: PackageFault['advisory']): ShownAdvisory {
  const { id, source, url, summary, category, severity, affected, disputes } = advisory;
  return { id, source, url, summary, category, severity, affected: affected.slice(0, 100), disputes };
}
