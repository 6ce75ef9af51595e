/** A version of a Python package (PEP 440), split into parts. Versions are compared part by part, in this order. */
export interface PythonVersion {
  readonly epoch: bigint;
  readonly release: readonly bigint[];
  /** Pre-release, post-release and development release as numbers; a lower number sorts first. */
  readonly suffix: readonly bigint[];
  /** Segments of the local version label; empty without one. */
  readonly local: readonly string[];
}

const SEPARATOR = '[-_.]?';
const VERSION = new RegExp(
  [
    '^v?(?:(?<epoch>\\d+)!)?(?<release>\\d+(?:\\.\\d+)*)',
    `(?:${SEPARATOR}(?<pre>alpha|beta|preview|pre|rc|a|b|c)${SEPARATOR}(?<preNumber>\\d*))?`,
    `(?:-(?<implicitPost>\\d+)|${SEPARATOR}(?<post>post|rev|r)${SEPARATOR}(?<postNumber>\\d*))?`,
    `(?:${SEPARATOR}(?<dev>dev)${SEPARATOR}(?<devNumber>\\d*))?`,
    '(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$',
  ].join(''),
);

/**
 * Ranks of pre-releases. A development release without a pre-release (`1.0.dev1`) ranks below them, and the final
 * release above them.
 */
const PRE_RANKS: Readonly<Record<string, bigint>> = {
  a: 1n,
  alpha: 1n,
  b: 2n,
  beta: 2n,
  c: 3n,
  rc: 3n,
  pre: 3n,
  preview: 3n,
};
const DEVELOPMENT_ONLY = 0n;
const NO_PRE_RELEASE = 4n;

/** Parses a version by PEP 440, in any spelling that it allows. Returns null for other texts. */
export function parsePythonVersion(text: string): PythonVersion | null {
  const parts = VERSION.exec(text.trim().toLowerCase())?.groups;
  if (!parts) return null;
  const {
    epoch,
    release = '',
    pre,
    preNumber,
    implicitPost,
    post,
    postNumber,
    dev,
    devNumber,
    local,
  } = parts;
  const isPost = post !== undefined || implicitPost !== undefined;
  const withoutPre = dev !== undefined && !isPost ? DEVELOPMENT_ONLY : NO_PRE_RELEASE;
  const suffix = [
    pre === undefined ? withoutPre : (PRE_RANKS[pre] ?? NO_PRE_RELEASE),
    numberOf(preNumber),
    isPost ? numberOf(implicitPost ?? postNumber) : -1n,
    dev === undefined ? 1n : 0n,
    numberOf(devNumber),
  ];
  return {
    epoch: numberOf(epoch),
    release: release.split('.').map(BigInt),
    suffix,
    local: local?.split(/[-_.]/) ?? [],
  };
}

/** Compares two versions by PEP 440; negative if the first one is lower. */
export function comparePythonVersions(one: PythonVersion, other: PythonVersion): number {
  return (
    compareNumbers([one.epoch], [other.epoch]) ||
    compareNumbers(one.release, other.release) ||
    compareNumbers(one.suffix, other.suffix) ||
    compareLocal(one.local, other.local)
  );
}

function numberOf(digits: string | undefined): bigint {
  return BigInt(digits || 0);
}

/** Compares lists of numbers; missing numbers at the end count as 0, so that 1.0 equals 1.0.0. */
function compareNumbers(one: readonly bigint[], other: readonly bigint[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index] ?? 0n, other[index] ?? 0n];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Compares local version labels by segment. Numbers are higher than words, and `ubuntu.1` is higher than `ubuntu`. */
function compareLocal(one: readonly string[], other: readonly string[]): number {
  for (const [index, left] of one.entries()) {
    const right = other[index];
    if (right === undefined) return 1;
    const [isNumber, isOtherNumber] = [left, right].map((part) => /^\d+$/.test(part));
    if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
    const order = isNumber ? compareNumbers([BigInt(left)], [BigInt(right)]) : compareText(left, right);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
