import type { Check } from './checks.ts';
import { objectOf, textOf } from './json-source.ts';

/** Findings that a project accepts for now. */
export interface Baseline {
  readonly version: 1;
  /** Fingerprints of the accepted findings, such as `affected:CVE-2025-6514`, by the subject of their check. */
  readonly findings: Readonly<Record<string, readonly string[]>>;
}

/** Thrown for a text that is not a valid baseline. */
export class BaselineError extends Error {}

/** Codes of reasons that a baseline can never accept. */
const NEVER_ACCEPTED = ['removed_subject', 'denied', 'warning'];

/** Parses a baseline file. Throws a BaselineError for an invalid one. */
export function parseBaseline(text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BaselineError('is not JSON.');
  }
  const { version, findings } = objectOf(value);
  const lists = Object.values(objectOf(findings));
  const isFit = lists.every(
    (list) => Array.isArray(list) && list.every((each) => textOf(each) !== undefined),
  );
  if (version !== 1 || typeof findings !== 'object' || findings === null || !isFit)
    throw new BaselineError('must be a JSON object that --write-baseline has written.');
  return { version, findings: findings as Baseline['findings'] };
}

/**
 * Creates a baseline that accepts the current findings of the checks. Warnings, removals and denials are never
 * accepted.
 */
export function baselineOf(checks: readonly Check[]): Baseline {
  const open = checks
    .filter(({ verdict }) => verdict !== 'passed')
    .map((check) => [check.subject, fingerprintsOf(check)] as const);
  return {
    version: 1,
    findings: Object.fromEntries(
      open
        .map(([subject, all]) => [subject, all.filter((each) => !NEVER_ACCEPTED.includes(each))] as const)
        .filter(([, accepted]) => accepted.length > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
}

/** Marks the checks whose findings the baseline accepts. A check with any new reason or advisory is not marked. */
export function withBaseline(checks: readonly Check[], { findings }: Baseline): Check[] {
  return checks.map((check) => {
    const accepted = Object.hasOwn(findings, check.subject) ? (findings[check.subject] ?? []) : [];
    const own = fingerprintsOf(check);
    const isAccepted =
      own.length > 0 && own.every((each) => accepted.includes(each) && !NEVER_ACCEPTED.includes(each));
    return { ...check, baseline: check.verdict !== 'passed' && isAccepted };
  });
}

/**
 * Returns the fingerprints of a check's findings, which stay the same between runs. A failed look-up has none, because
 * its cause may differ each time.
 */
function fingerprintsOf({ verdict, reasons, advisories }: Check): string[] {
  if (verdict === 'not checked') return ['not_checked'];
  return reasons.flatMap(({ code }) =>
    code === 'affected' ? advisories.map(({ id }) => `affected:${id}`) : code === 'no_policy' ? [] : [code],
  );
}
