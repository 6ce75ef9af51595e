import { ECOSYSTEM_RULES, type Ecosystem } from './ecosystems.ts';

/**
 * Range of versions, from `from` (included) up to `before` or `through`. A bound that is null does not limit the range.
 */
export interface VersionInterval {
  readonly from: string | null;
  /** Lowest version that is no longer affected. */
  readonly before: string | null;
  /** Highest version that is still affected. */
  readonly through: string | null;
}

/**
 * Versions of a package that an advisory affects: the listed `versions`, and those within one of the `intervals`. If
 * both are empty, the advisory affects the whole package.
 */
export interface AffectedVersions {
  readonly versions: readonly string[];
  readonly intervals: readonly VersionInterval[];
}

/** Event of an OSV range. It has one member, whose key is the kind of event and whose value is a version. */
export type RangeEvent = Readonly<Partial<Record<EventKind, string>>>;

const EVENT_KINDS = ['introduced', 'fixed', 'last_affected', 'limit'] as const;

type EventKind = (typeof EVENT_KINDS)[number];

/** Versions that OSV writes for "before the first version" and "after the last version". */
const FIRST = '0';
const UNLIMITED = '*';

/**
 * Converts the events of an OSV range to intervals, in the order of their versions. Returns null if a version cannot be
 * read, because the events then cannot be sorted.
 */
export function intervalsOf(ecosystem: Ecosystem, events: readonly RangeEvent[]): VersionInterval[] | null {
  const steps = sortedSteps(ecosystem, events);
  if (steps === null) return null;
  const intervals: VersionInterval[] = [];
  let from: string | null = null;
  let isOpen = false;
  for (const { kind, version } of steps) {
    if (kind === 'introduced') {
      if (!isOpen) from = version === FIRST ? null : version;
      isOpen = true;
    } else if (isOpen) {
      const isLast = kind === 'last_affected';
      intervals.push({ from, before: isLast ? null : version, through: isLast ? version : null });
      isOpen = false;
    }
  }
  return isOpen ? [...intervals, { from, before: null, through: null }] : intervals;
}

interface Step {
  readonly kind: EventKind;
  readonly version: string;
}

function sortedSteps(ecosystem: Ecosystem, events: readonly RangeEvent[]): Step[] | null {
  const { compareVersions, isVersion } = ECOSYSTEM_RULES[ecosystem];
  const steps = events.flatMap((event) =>
    EVENT_KINDS.flatMap((kind) => {
      const version = event[kind];
      return version === undefined || (kind === 'limit' && version === UNLIMITED) ? [] : [{ kind, version }];
    }),
  );
  const isFirst = ({ kind, version }: Step) => kind === 'introduced' && version === FIRST;
  if (steps.some((step) => !isFirst(step) && !isVersion(step.version))) return null;
  return steps.sort((one, other) => {
    if (isFirst(one) || isFirst(other)) return Number(isFirst(other)) - Number(isFirst(one));
    return compareVersions(one.version, other.version) ?? 0;
  });
}

/** Returns true if the advisory affects the version. Versions are compared as the registry orders them. */
export function isAffected(ecosystem: Ecosystem, version: string, affected: AffectedVersions): boolean {
  const { versions, intervals } = affected;
  if (versions.length === 0 && intervals.length === 0) return true;
  if (versions.includes(version) || intervals.some((interval) => isWithin(ecosystem, version, interval)))
    return true;
  const { compareVersions } = ECOSYSTEM_RULES[ecosystem];
  return versions.some((each) => compareVersions(each, version) === 0);
}

function isWithin(
  ecosystem: Ecosystem,
  version: string,
  { from, before, through }: VersionInterval,
): boolean {
  const { compareVersions } = ECOSYSTEM_RULES[ecosystem];
  const holds = (bound: string | null, accepts: (order: number) => boolean) => {
    if (bound === null) return true;
    const order = compareVersions(version, bound);
    return order !== null && accepts(order);
  };
  return (
    holds(from, (order) => order >= 0) &&
    holds(before, (order) => order < 0) &&
    holds(through, (order) => order <= 0)
  );
}

/**
 * Returns the versions outside of all intervals. Only these are stored: records also list the versions within their
 * ranges, and comparing a version with fifty more would take longer than the lookup itself.
 */
export function versionsOutside(
  ecosystem: Ecosystem,
  versions: readonly string[],
  intervals: readonly VersionInterval[],
): string[] {
  return versions.filter((version) => !intervals.some((each) => isWithin(ecosystem, version, each)));
}

/**
 * Describes affected versions as texts: one per interval, such as `>=1.0.16` or `<0.1.16`, and one per listed version.
 * `all versions` stands for the whole package.
 */
export function describeAffected({ versions, intervals }: AffectedVersions): string[] {
  const texts = intervals.map(describeInterval);
  if (texts.includes(ALL) || (versions.length === 0 && texts.length === 0)) return [ALL];
  return [...texts, ...versions];
}

const ALL = 'all versions';

function describeInterval({ from, before, through }: VersionInterval): string {
  const bounds = [
    ...(from === null ? [] : [`>=${from}`]),
    ...(before === null ? [] : [`<${before}`]),
    ...(through === null ? [] : [`<=${through}`]),
  ];
  return bounds.length === 0 ? ALL : bounds.join(' ');
}
