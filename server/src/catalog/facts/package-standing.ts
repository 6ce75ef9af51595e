import type { Connection } from '../../platform/database/connect.ts';
import type { OpenVulnerability, PackageStanding } from '../../scoring/fact-types.ts';
import { isAffected } from '../advisories/affected-versions.ts';
import { ECOSYSTEM_RULES, type PackageName } from '../advisories/ecosystems.ts';
import { loadFaults, type PackageFault } from '../advisories/judge-packages.ts';
import { deleteFacts, upsertFacts } from './observed-facts.queries.ts';
import type { ObservedFact, ShownAdvisory } from './observed-facts.ts';
import { type ConfirmedPackage, loadConfirmedPackages } from './package-standing.queries.ts';

/** Name of the source of the fact: advisories of all databases, in the OSV format. */
const SOURCE = 'osv';
/** Maximum listings per statement; each has at most two packages. */
const MAX_LISTINGS = 4_000;

/**
 * Judges the confirmed packages of listings again by the stored advisories, and stores the result as the fact
 * `package_standing`. A listing without a confirmed package has no such fact, and a listing with two packages gets the
 * worse of the two standings. The caller has locked the listings' subjects. Returns the listings whose fact changed;
 * they must be scored again.
 */
export async function refreshPackageStandings(
  connection: Connection,
  listingIds: readonly string[],
): Promise<string[]> {
  const changed: string[] = [];
  for (let first = 0; first < listingIds.length; first += MAX_LISTINGS)
    changed.push(...(await refreshSome(connection, listingIds.slice(first, first + MAX_LISTINGS))));
  return changed;
}

async function refreshSome(connection: Connection, listingIds: readonly string[]): Promise<string[]> {
  const packages = (await loadConfirmedPackages(connection, listingIds, SOURCE)).map(normalised);
  const judged = packages.length === 0 ? [] : await loadFaults(connection, packages);
  const facts = new Map<string, JudgedStanding>();
  for (const [index, each] of packages.entries()) {
    const { faults = [], isCurrent = false } = judged[index] ?? {};
    const standing = standingOf(each, faults, isCurrent);
    const other = facts.get(each.id);
    if (standing !== null && (other === undefined || gravity(standing.value) > gravity(other.value)))
      facts.set(each.id, standing);
  }
  const without = listingIds.filter((id) => !facts.has(id));
  const removed = await deleteFacts(connection, without, 'package_standing', SOURCE);
  if (removed.length > 0) await deleteFacts(connection, removed, 'package_advisories', SOURCE);
  if (facts.size === 0) return removed;
  // The texts of advisories do not affect scores, so only changed standings are returned.
  await upsertFacts(connection, [...facts].map(advisoriesFact));
  return [...removed, ...(await upsertFacts(connection, [...facts].map(standingFact)))];
}

function normalised(each: ConfirmedPackage): ConfirmedPackage {
  const { normaliseName } = ECOSYSTEM_RULES[each.ecosystem];
  const name = normaliseName(each.name);
  const { published } = each;
  return { ...each, name, published: published && normaliseName(published.name) === name ? published : null };
}

function standingFact([subjectId, judged]: [string, JudgedStanding]): ObservedFact {
  return { subjectId, fact: 'package_standing', value: judged.value, ...sourceOf(judged) };
}

function advisoriesFact([subjectId, judged]: [string, JudgedStanding]): ObservedFact {
  const value = { advisories: judged.advisories };
  return { subjectId, fact: 'package_advisories', value, ...sourceOf(judged) };
}

function sourceOf({ value: { ecosystem, name }, advisories }: JudgedStanding) {
  const list = `https://osv.dev/list?q=${encodeURIComponent(name)}&ecosystem=${ECOSYSTEM_RULES[ecosystem].osvName}`;
  return { source: SOURCE, url: advisories[0]?.url ?? list, license: null };
}

/** Ranks standings, worst first: malware in the published version, malware in another version, open vulnerabilities. */
function gravity({ published, everyVersion, malwareVersions, vulnerabilities }: PackageStanding): number {
  if (published === 'malware' || everyVersion) return 3;
  if (malwareVersions.length > 0) return 2;
  return vulnerabilities.length > 0 ? 1 : 0;
}

/** Categories of malicious packages. Other categories than these and `research_poc` are vulnerabilities. */
const MALICIOUS: readonly string[] = ['malware', 'dependency_confusion'];
const RESEARCH = 'research_poc';
const MAX_SHOWN = 20;

/** Standing of a package, and the most severe advisories behind it. */
interface JudgedStanding {
  readonly value: PackageStanding;
  readonly advisories: readonly ShownAdvisory[];
}

/**
 * Returns the standing of a package by its faults; null if nothing is known: no fault is stored, and no recent reading
 * of the advisories says that there is none.
 */
function standingOf(
  { ecosystem, name, published, former }: Omit<ConfirmedPackage, 'id'>,
  faults: readonly PackageFault[],
  isCurrent: boolean,
): JudgedStanding | null {
  if (faults.length === 0 && !isCurrent) return null;
  const version = published?.version ?? null;
  const ofKind = (isKind: (category: string) => boolean) =>
    faults.filter(({ advisory }) => isKind(advisory.category));
  const malicious = ofKind((category) => MALICIOUS.includes(category));
  const research = ofKind((category) => category === RESEARCH);
  const named = malicious.length > 0 ? malicious : research;
  const affecting = (some: readonly PackageFault[]) =>
    version === null ? [] : some.filter((fault) => affects(ecosystem, version, fault));
  const isMalware = affecting(malicious).length > 0;
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
  } as const;
  const advisories = [...named, ...open].slice(0, MAX_SHOWN).map(({ advisory }) => shownOf(advisory));
  const soundSince =
    published === null || isMalware || malicious.length === 0
      ? null
      : earliest(soundTime(ecosystem, published, malicious), formerSoundSince(former, standing));
  return { value: { ...standing, soundSince }, advisories };
}

function affects(ecosystem: PackageName['ecosystem'], version: string, { records }: PackageFault): boolean {
  return records.some((record) => isAffected(ecosystem, version, record));
}

/** Returns true if a record covers every version. Some sources write `0.0.0` for the first version. */
function coversEveryVersion({ advisory }: PackageFault): boolean {
  return advisory.affected.includes('all versions') || advisory.affected.includes('>=0.0.0');
}

/**
 * Returns the time from which the published version counts as sound. Usually this is its release. If a version with
 * malware has a higher number, the published version was restored after that one; its time is then the later of its
 * release and the publication of the records about malware.
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

/** Returns `soundSince` of the stored standing; null if a version with malware has been added since. */
function formerSoundSince(
  former: PackageStanding | null,
  { name, malwareVersions }: Pick<PackageStanding, 'name' | 'malwareVersions'>,
): string | null {
  if (former?.name !== name || former.published !== 'not_affected') return null;
  const isSame = malwareVersions.every((version) => former.malwareVersions.includes(version));
  return isSame ? former.soundSince : null;
}

/** Returns the earlier of two times, so that a later sound version does not restart the period of the Warning. */
function earliest(one: string | null, other: string | null): string | null {
  return [one, other].filter((time) => time !== null).sort()[0] ?? null;
}

function isoOf(time: string): string {
  return new Date(time).toISOString();
}

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/**
 * Describes a vulnerability. `fixedIn` is the lowest unaffected version at which an affected range that contains this
 * version ends.
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
