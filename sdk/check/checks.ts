import {
  judgeSubject,
  matchesName,
  type SubjectRecord,
  type TrustPolicy,
  type TrustReason,
} from '../src/index.ts';
import type { CheckItem } from './item.ts';
import { type LookUp, type LookupAnswer, type LookupResult, subjectsOf } from './look-up-items.ts';
import { unaffectedVersion } from './unaffected-version.ts';

/** Severities, worst first. `none`: nothing is known against the item. */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'unknown', 'none'] as const;
export type Severity = (typeof SEVERITIES)[number];

type Advisory = NonNullable<LookupAnswer['package']>['advisories'][number];

/** Place where a file names an item. */
interface Location {
  readonly file: string;
  readonly line: number;
}

/** Result for one item. An item that is named in several places has one result. */
export interface Check {
  /** Name with the version, such as `npm:name@1.2.3`. */
  readonly subject: string;
  readonly name: string;
  readonly version: string | null;
  /**
   * `not checked`: nothing about the item was sent, and neither `allow` nor `deny` decided. `could not tell`: there is
   * no policy, the look-up failed, or too little is known.
   */
  readonly verdict: 'passed' | 'refused' | 'could not tell' | 'not checked';
  readonly severity: Severity;
  readonly reasons: readonly TrustReason[];
  readonly record: SubjectRecord | null;
  /** Advisories that affect the version. */
  readonly advisories: readonly Advisory[];
  /** A later version that no advisory affects; null if none is known. */
  readonly unaffected: string | null;
  readonly locations: readonly Location[];
  /** Reason why the item could not be checked; null if it was checked, or if `allow` or `deny` decided. */
  readonly failure: string | null;
  /** True if a baseline accepts all findings of the check. */
  readonly baseline: boolean;
}

/** Policy and look-up that decide about items. */
export interface Judgement {
  readonly policy: TrustPolicy;
  readonly lookUp: LookUp;
  /** Describes a failed look-up for people. */
  describe(failure: unknown): string;
}

/**
 * Looks up all items and applies the policy. Sorts the results by severity and then by verdict, worst first; equal ones
 * keep the order of the items.
 */
export async function checkItems(items: readonly CheckItem[], judgement: Judgement): Promise<Check[]> {
  const results = await judgement.lookUp(subjectsOf(items));
  const checks = groupItems(items).map((group) => checkGroup(group, results, judgement));
  await addUnaffected(checks, judgement.lookUp);
  return checks.sort((one, other) => rankOf(one) - rankOf(other));
}

const VERDICTS = ['refused', 'could not tell', 'not checked', 'passed'];
const rankOf = ({ verdict, severity }: Check) =>
  VERDICTS.indexOf(verdict) + SEVERITIES.indexOf(severity) * VERDICTS.length;

/** Groups equal items. The groups have the order in which their first items appear. */
function groupItems(items: readonly CheckItem[]): CheckItem[][] {
  const groups = new Map<string, CheckItem[]>();
  for (const item of items) {
    const key = JSON.stringify([item.label, item.subject, item.skipped, item.isClaimed === true]);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

type MutableCheck = { -readonly [Name in keyof Check]: Check[Name] };

function checkGroup(
  group: readonly CheckItem[],
  results: ReadonlyMap<string, LookupResult>,
  { policy, describe }: Judgement,
): MutableCheck {
  const [item] = group as readonly [CheckItem];
  const check: MutableCheck = {
    subject: item.label,
    name: item.name,
    version: item.version,
    verdict: 'could not tell',
    severity: 'none',
    reasons: [],
    record: null,
    advisories: [],
    unaffected: null,
    locations: group.flatMap(({ file, line }) => (file === null ? [] : [{ file, line: line ?? 1 }])),
    failure: null,
    baseline: false,
  };
  const named = { subject: item.label, names: [item.name], record: null };
  if (item.subject === null) {
    if (matchesName(policy.deny, named)) {
      return {
        ...check,
        verdict: 'refused',
        severity: 'high',
        reasons: [{ code: 'denied', message: 'The policy denies it.' }],
      };
    }
    const isAllowed = matchesName(policy.allow, named);
    return {
      ...check,
      verdict: isAllowed ? 'passed' : 'not checked',
      failure: isAllowed ? null : sentence(item.skipped ?? ''),
    };
  }
  const result = results.get(item.subject);
  if (!result || 'failure' in result || result.status === 'invalid') {
    const failure =
      result && 'failure' in result
        ? describe(result.failure)
        : (result as LookupAnswer | undefined)?.message;
    return { ...check, failure: failure ?? 'There was no answer.' };
  }
  return { ...check, ...decided(item, result, policy) };
}

function decided(item: CheckItem, answer: LookupAnswer, policy: TrustPolicy): Partial<Check> {
  const { record, package: report } = answer;
  const { outcome, reasons } = judgeSubject(
    {
      subject: item.label,
      names: [item.name, ...(report ? [report.package] : [])],
      record,
      package: report,
      absence: absenceOf(answer),
      isUnconfirmed: record !== null && report !== null && report.listing === null,
    },
    policy,
  );
  const isClaim = item.isClaimed === true && outcome === 'passed';
  const isNamed = report?.standing === 'affected' && report.version !== null;
  const advisories = isNamed ? report.advisories : [];
  return {
    verdict: outcome === 'undecided' || isClaim ? 'could not tell' : outcome,
    name: report?.package ?? item.name,
    version: item.version ?? report?.version ?? null,
    severity: severityOf(outcome, reasons, advisories),
    reasons: isClaim ? [CLAIMED] : reasons,
    record,
    advisories,
  };
}

const CLAIMED: TrustReason = {
  code: 'unknown_subject',
  message: 'Only its own text names this repository, and anyone can write that.',
};

function absenceOf({ status, message = status }: LookupAnswer): TrustReason | null {
  if (status === 'not_found') return { code: 'unknown_subject', message };
  if (status === 'removed') return { code: 'removed_subject', message };
  if (status === 'ambiguous') return { code: 'ambiguous_subject', message };
  return null;
}

/** Returns the severity of the worst finding. Advisories count even if the policy does not ask for them. */
function severityOf(
  outcome: string,
  reasons: readonly TrustReason[],
  advisories: readonly Advisory[],
): Severity {
  const has = (...codes: TrustReason['code'][]) => reasons.some(({ code }) => codes.includes(code));
  const found: Severity[] = advisories.map(
    ({ severity }) => SEVERITIES.find((each) => each === severity) ?? 'unknown',
  );
  if (has('warning')) found.push('critical');
  if (has('removed_subject', 'denied')) found.push('high');
  if (outcome === 'refused') found.push('medium');
  // If there is no reason other than advisories, the result is as severe as the worst advisory.
  const isOnlyAffected = reasons.every(({ code }) => code === 'affected');
  const counted = isOnlyAffected && advisories.length > 0 ? found.slice(0, advisories.length) : found;
  return SEVERITIES.find((each) => counted.includes(each)) ?? 'none';
}

/** Maximum look-ups per item in search of an unaffected version: other advisories may affect a candidate. */
const ROUNDS = 3;

/** Adds a later version that no advisory affects, once the directory has confirmed it. */
async function addUnaffected(checks: readonly MutableCheck[], lookUp: LookUp): Promise<void> {
  let open = checks.flatMap((check) => {
    const { version, name, advisories } = check;
    return version === null || advisories.length === 0 ? [] : [{ check, name, version, advisories }];
  });
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const candidates = open.flatMap((each) => {
      const candidate = unaffectedVersion(each.version, each.advisories);
      if (candidate === null) return [];
      const separator = each.name.startsWith('pypi:') ? '==' : '@';
      return [{ ...each, candidate, subject: `${each.name}${separator}${candidate}` }];
    });
    const results = await lookUp(candidates.map(({ subject }) => subject));
    open = candidates.flatMap(({ candidate, subject, ...each }) => {
      const result = results.get(subject);
      const report = result && 'package' in result ? result.package : null;
      if (report?.standing === 'not_affected') each.check.unaffected = candidate;
      return report?.standing === 'affected' && report.version !== null
        ? [{ ...each, advisories: [...each.advisories, ...report.advisories] }]
        : [];
    });
  }
}

const sentence = (text: string) => `Not checked: ${text}.`;
