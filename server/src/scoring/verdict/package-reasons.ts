import { everyStanding, type Facts, type OpenVulnerability, type PackageStanding } from '../fact-types.ts';
import { HIJACK_WARNING_DAYS, type ReasonCode, type ReasonTexts } from './reasons.ts';

/** Maximum versions that a text names. */
const MAX_NAMED = 4;
const DAY_MS = 86_400_000;

/** Condition and text of a reason that advisories about the listing's package give. */
interface PackageRule {
  readonly code: ReasonCode;
  /** `days`: days from `soundSince` to the time of the verdict; null if one of these times is unknown. */
  applies(standing: PackageStanding, days: number | null): boolean;
  text(standing: PackageStanding): string;
}

/**
 * Rules for reasons that come from advisories. Each rule applies independently of the others. An advisory about every
 * version also counts for a published version that was not read. An advisory about only some versions then causes the
 * verdict Warning, but no cap.
 */
export const PACKAGE_RULES: readonly PackageRule[] = [
  {
    code: 'malware',
    applies: (standing) => hasMalware(standing) && isPublishedMalware(standing),
    text: publishedText,
  },
  {
    code: 'malware_in_earlier_versions',
    applies: (standing, days) =>
      hasSoundVersion(standing) && (!isLongAgo(days) || standing.defaultMalware !== undefined),
    text: earlierText,
  },
  {
    code: 'malware_in_some_versions',
    applies: (standing) =>
      hasMalware(standing) && standing.published === 'unread' && !isPublishedMalware(standing),
    text: (standing) =>
      `malware in ${counted(standing.malwareVersions)}${defaultText(standing)}, and ${standing.defaultMalware === undefined ? 'the published version was not read' : 'no stable version is published'}`,
  },
  {
    code: 'former_malware',
    applies: (standing, days) =>
      hasSoundVersion(standing) && isLongAgo(days) && standing.defaultMalware === undefined,
    text: earlierText,
  },
  {
    code: 'malware_disputed',
    applies: (standing) => hasMalware(standing) && standing.disputedVersions.length > 0,
    text: ({ disputedVersions }) => `disputed for ${counted(disputedVersions)}`,
  },
  {
    code: 'research_package',
    applies: ({ isResearch }) => isResearch,
    text: ({ malwareVersions }) => `proof of concept of researchers: ${counted(malwareVersions)}`,
  },
  {
    code: 'open_vulnerabilities',
    applies: ({ vulnerabilities }) => vulnerabilities.length > 0,
    text: ({ vulnerabilities }) => vulnerabilityText(vulnerabilities),
  },
];

/** Codes of the reasons that name versions of a package. */
export const PACKAGE_REASONS: readonly ReasonCode[] = PACKAGE_RULES.map(({ code }) => code);

/** Reasons that the advisories of a listing's package give, with the texts that name its versions. */
interface PackageReasons {
  readonly codes: readonly ReasonCode[];
  readonly texts: ReasonTexts;
}

/**
 * Applies the rules to the packages in a score's facts, which contain only confirmed packages. If there are several
 * packages, each text names its package.
 */
export function packageReasons(facts: Facts | null, now: number | null): PackageReasons {
  const standings = standingsIn(facts);
  const applying = PACKAGE_RULES.map(({ code, applies, text }) => ({
    code,
    text,
    standings: standings.filter((standing) => applies(standing, daysSince(standing.soundSince, now))),
  })).filter((each) => each.standings.length > 0);
  return {
    codes: applying.map(({ code }) => code),
    texts: Object.fromEntries(
      applying.map(({ code, text, standings: some }) => [code, textOf(some, text, standings.length > 1)]),
    ),
  };
}

/**
 * Returns the texts of reasons that name versions of a package, for a verdict that is restored at the time `now` from
 * its stored codes.
 */
export function packageTexts(
  codes: readonly ReasonCode[],
  standing: PackageStanding,
  now: number,
): ReasonTexts {
  const standings = everyStanding(standing);
  const texts = PACKAGE_RULES.filter(({ code }) => codes.includes(code)).map(({ code, applies, text }) => {
    const some = standings.filter((each) => applies(each, daysSince(each.soundSince, now)));
    return [code, textOf(some.length === 0 ? [standing] : some, text, standings.length > 1)] as const;
  });
  return Object.fromEntries(texts);
}

function textOf(
  standings: readonly PackageStanding[],
  text: PackageRule['text'],
  isOneOfSeveral: boolean,
): string {
  const texts = standings.map((standing) =>
    isOneOfSeveral ? `${standing.ecosystem} package ${standing.name}: ${text(standing)}` : text(standing),
  );
  return texts.join('; ');
}

function daysSince(time: string | null, now: number | null): number | null {
  return time === null || now === null ? null : (now - Date.parse(time)) / DAY_MS;
}

function standingsIn(facts: Facts | null): readonly PackageStanding[] {
  if (facts === null || !('observed' in facts)) return [];
  return (facts.observed ?? []).flatMap((record) =>
    record.fact === 'package_standing' ? everyStanding(record.value) : [],
  );
}

function hasMalware({ malwareVersions, isResearch }: PackageStanding): boolean {
  return malwareVersions.length > 0 && !isResearch;
}

function isPublishedMalware({ published, everyVersion }: PackageStanding): boolean {
  return published === 'malware' || (published === 'unread' && everyVersion);
}

function hasSoundVersion(standing: PackageStanding): boolean {
  return hasMalware(standing) && standing.published === 'not_affected';
}

/** Returns true if malware in earlier versions no longer causes a warning; false if the days are unknown. */
function isLongAgo(days: number | null): boolean {
  return days !== null && days > HIJACK_WARNING_DAYS;
}

function publishedText({ everyVersion, version, malwareVersions }: PackageStanding): string {
  if (everyVersion || version === null) return 'every version contains malware';
  const others = malwareVersions.filter((named) => named !== version);
  const also = others.length === 0 ? '' : `, as do others: ${listed(others)}`;
  return `the published version ${version} contains malware${also}`;
}

function earlierText(standing: PackageStanding): string {
  const { malwareVersions, version, defaultMalware } = standing;
  const sound = defaultMalware === undefined ? 'current' : 'latest stable';
  return `malware in ${counted(malwareVersions)}${defaultText(standing)}, but not in the ${sound} version ${version}`;
}

/** Says that the registry installs a version with malware by default; empty if it does not. */
function defaultText({ malwareVersions, defaultMalware, ecosystem }: PackageStanding): string {
  if (defaultMalware === undefined) return '';
  const which = malwareVersions.length === 1 ? 'which' : `and ${defaultMalware} is what`;
  return `, ${which} ${ecosystem} installs by default`;
}

/**
 * Writes versions as "version 0.5.1" or "2 versions (0.5.1, 0.6.1)". If there are ranges, omits the number, because it
 * is unknown how many versions a range has.
 */
function counted(versions: readonly string[]): string {
  const [only = ''] = versions;
  if (versions.includes('all versions')) return 'every version';
  if (versions.some((version) => /^[<>]/.test(version))) return `versions ${listed(versions)}`;
  return versions.length === 1 ? `version ${only}` : `${versions.length} versions (${listed(versions)})`;
}

function listed(versions: readonly string[]): string {
  const more = versions.length - MAX_NAMED;
  return [...versions.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', null] as const;

/** Writes the number of vulnerabilities, the worst severity, and whether fixes have been published. */
function vulnerabilityText(vulnerabilities: readonly OpenVulnerability[]): string {
  const worst = SEVERITIES.find((severity) => vulnerabilities.some((each) => each.severity === severity));
  const severity = worst ? `, ${vulnerabilities.length === 1 ? '' : 'at worst '}${worst}` : '';
  const number =
    vulnerabilities.length === 1
      ? '1 known vulnerability'
      : `${vulnerabilities.length} known vulnerabilities`;
  return `${number} in the published version${severity}, ${fixText(vulnerabilities)}`;
}

function fixText(vulnerabilities: readonly OpenVulnerability[]): string {
  const fixes = vulnerabilities.flatMap(({ fixedIn }) => fixedIn ?? []);
  const [only] = fixes;
  if (fixes.length === 0) return 'no fix known';
  if (fixes.length < vulnerabilities.length) return 'some of them fixed in later versions';
  return vulnerabilities.length === 1 ? `fixed in ${only}` : 'all fixed in later versions';
}
