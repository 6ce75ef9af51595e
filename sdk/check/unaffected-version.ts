/** Versions that an advisory affects. */
interface Affecting {
  /** Each element is a version, a range such as `>=1.0.16` or `>=0.0.5 <0.1.16`, or `all versions`. */
  readonly affected: readonly string[];
}

/**
 * Returns the lowest version above `version` that is outside the ranges of all advisories; null if the ranges name
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
