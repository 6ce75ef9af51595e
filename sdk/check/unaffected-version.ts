/** Versions that an advisory affects. */
interface Affecting {
  /** Each element is a version, a range such as `>=1.0.16` or `>=0.0.5 <0.1.16`, or `all versions`. */
  readonly affected: readonly string[];
}

/**
 * Returns the lowest version above `version` at which a range ends and that no range contains; null if there is
 * none. Look this version up before recommending it: other advisories, which do not affect `version`, may affect it.
 */
export function unaffectedVersion(version: string, advisories: readonly Affecting[]): string | null {
  const texts = advisories.flatMap(({ affected }) => affected);
  const candidates = texts
    .flatMap((text) => /<(?!=)(\S+)/.exec(text)?.[1] ?? [])
    .filter((each) => compareVersions(each, version) > 0)
    .sort(compareVersions);
  return candidates.find((each) => !texts.some((text) => isWithin(each, text))) ?? null;
}

/**
 * Returns true if an advisory affects the version, and false if none does; null if this is not certain. Registries
 * order pre-releases and the like by rules of their own, so such a version is compared only with ranges whose bounds
 * belong to other releases.
 */
export function isAffected(version: string, advisories: readonly Affecting[]): boolean | null {
  const within = advisories
    .flatMap(({ affected }) => affected)
    .map((text) => isCertainlyWithin(version, text));
  if (within.includes(true)) return true;
  const isListed = advisories.every(({ affected }) => affected.length > 0 && affected.length < MAX_LISTED);
  return within.includes(null) || !isListed ? null : false;
}

/** Maximum ranges that the directory lists for an advisory; at this number, further ones may be missing. */
const MAX_LISTED = 1_000;

const RELEASE = /^v?\d+(\.\d+)*$/;
/** Matches versions of a known form. A version with an epoch, such as `1!2.0`, is not of a known form. */
const VERSION = /^v?\d+(\.\d+)*([-.+]?[a-z0-9][-.+a-z0-9]*)?$/i;

function isCertainlyWithin(version: string, text: string): boolean | null {
  if (text === 'all versions' || text === version) return true;
  const bounds = text.split(' ').map((bound) => bound.replace(/^(>=|<=|<|>)/, ''));
  if ([version, ...bounds].every((each) => RELEASE.test(each))) return isWithin(version, text);
  if (![version, ...bounds].every((each) => VERSION.test(each))) return null;
  // Versions of the same release differ only in labels such as `-rc.1`, whose order is not certain.
  const isClose = bounds.some((bound) => compareVersions(releaseOf(bound), releaseOf(version)) === 0);
  // A bound of the same release may also be the same version in another spelling.
  return isClose ? null : isWithin(version, text);
}

const releaseOf = (version: string) => /^v?\d+(\.\d+)*/.exec(version)?.[0] ?? '';

function isWithin(version: string, text: string): boolean {
  if (text === 'all versions') return true;
  return text.split(' ').every((bound) => {
    const [, operator = '', limit = ''] = /^(>=|<=|<|>)?(.*)$/.exec(bound) ?? [];
    const order = compareVersions(version, limit);
    if (operator === '>=') return order >= 0;
    if (operator === '<=') return order <= 0;
    if (operator === '<') return order < 0;
    return operator === '>' ? order > 0 : order === 0;
  });
}

/** Compares versions number by number. A pre-release is lower than its release. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < Math.max(first.numbers.length, second.numbers.length); index += 1) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.label === second.label) return 0;
  if (first.label === '') return 1;
  if (second.label === '') return -1;
  return first.label.localeCompare(second.label, 'en', { numeric: true });
}

function partsOf(version: string) {
  const [, release = '', label = ''] = /^v?([\d.]*)[-.]?([^+]*)/.exec(version) ?? [];
  // A Python post-release is higher than its release, so its number becomes an additional part.
  const post = /^post(\d*)/.exec(label)?.[1];
  const numbers = release.split('.').filter(Boolean).map(Number);
  return post === undefined
    ? { numbers, label }
    : { numbers: [...numbers, 0, 0, 0, 1 + Number(post)], label: '' };
}
