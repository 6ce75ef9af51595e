import type { PackageReport, SubjectRecord } from './contract/models.ts';
import { ConfigurationError } from './errors/errors.ts';
import type { components } from './generated/schema.ts';
import type { LookupQuery } from './resources/subjects.ts';
import { type OptionRules, readOptions } from './transport/read-options.ts';

type VerdictState = components['schemas']['VerdictState'];

/**
 * Requirements that a subject must meet. A policy needs at least one of `minTrust`, `minConfidence`, `minTier`,
 * `verified`, `verdict` and `notAffected`; without them, only names in `allow` meet it, and others have the reason
 * `no_policy`. Every policy refuses a removed subject. It refuses a subject with a Warning, unless `verdict` includes
 * `warning` or `allow` has the name.
 */
export interface TrustPolicy {
  /** Minimum trust, from 0 to 100. */
  minTrust?: number | undefined;
  /** Minimum confidence, from 0 to 100. */
  minConfidence?: number | undefined;
  /** Minimum tier of the subject. */
  minTier?: 'low' | 'medium' | 'high' | undefined;
  /** True requires that the creator has proved ownership of the repository's account. */
  verified?: boolean | undefined;
  /** Accepted verdict, or a list of them. */
  verdict?: VerdictState | readonly VerdictState[] | undefined;
  /**
   * True: no known advisory may affect the package's version. A package that the directory does not list has no score,
   * so it can meet the policy only if `minTrust`, `minConfidence`, `minTier` and `verified` are not set.
   */
  notAffected?: boolean | undefined;
  /** Maximum age of the score in days. */
  maxAge?: number | undefined;
  /** Former name of `maxAge`. If both are set, the smaller one counts. */
  maxAgeDays?: number | undefined;
  /** Required type. The look-up ignores subjects of other types. */
  type?: LookupQuery['type'];
  /** Names that meet the policy unconditionally, except those of removed subjects or in `deny`; `*` is a wildcard. */
  allow?: readonly string[] | undefined;
  /** Names that never meet the policy; `*` is a wildcard. */
  deny?: readonly string[] | undefined;
}

/**
 * Predefined policies: `advisories` for lock files, `recommended` to start with, `strict` for code that runs with your
 * permissions.
 */
export const POLICY_PRESETS: Readonly<Record<'advisories' | 'recommended' | 'strict', TrustPolicy>> = {
  advisories: { notAffected: true },
  recommended: { verdict: ['verified', 'well_evidenced', 'little_evidence'], notAffected: true },
  strict: {
    minTrust: 60,
    minConfidence: 40,
    verdict: ['verified', 'well_evidenced'],
    notAffected: true,
    maxAge: 90,
  },
};

/** Reason why a subject does not meet a policy: a code to branch on and a message for people. */
export interface TrustReason {
  readonly code:
    | 'unknown_subject'
    /** The operator removed the subject from the directory. */
    | 'removed_subject'
    | 'ambiguous_subject'
    | 'denied'
    /** The directory warns of the subject, for example of malware. */
    | 'warning'
    /** An advisory affects the version. */
    | 'affected'
    /** The directory doesn't know if an advisory affects the version. */
    | 'standing_unknown'
    | 'wrong_type'
    | 'no_score'
    | 'low_trust'
    | 'low_confidence'
    | 'low_tier'
    | 'not_verified'
    | 'wrong_verdict'
    | 'old_score'
    /** The policy demands nothing. */
    | 'no_policy';
  readonly message: string;
}

/** Result of a check. */
export interface TrustCheck {
  /** True if the subject meets the policy. */
  readonly ok: boolean;
  /**
   * `refused`: the subject violates the policy, was removed or has a Warning. `undecided`: nothing is known against it,
   * but there is no policy, or not enough is known to decide.
   */
  readonly outcome: 'passed' | 'refused' | 'undecided';
  /** Reasons against the subject, a Warning first; only that one if it was removed or denied; empty if `ok`. */
  readonly reasons: readonly TrustReason[];
  /** Record of the subject; null if it is unknown, removed or ambiguous. */
  readonly record: SubjectRecord | null;
}

/** Version, standing and advisories of the package that the subject's name refers to. */
export type PackageFacts = Pick<PackageReport, 'version' | 'standing' | 'advisories'>;

/** Facts that the directory has about a subject. */
export interface SubjectFacts {
  /** Name under which the subject was looked up. */
  readonly subject: string;
  /** Further names, for `allow` and `deny`. */
  readonly names?: readonly string[];
  readonly record: SubjectRecord | null;
  /** Null if the subject is not a package, or if no package data is available. */
  readonly package: PackageFacts | null;
  /** Reason why there is no record; null if there is one. */
  readonly absence: TrustReason | null;
  /**
   * True if only a third-party list connects the package to the record's repository, and the repository does not name
   * the package itself.
   */
  readonly isUnconfirmed?: boolean;
}

const TIERS = ['low', 'medium', 'high'];
const SCORE = ['a number from 0 to 100', /^(\d{1,2}(\.\d+)?|100)$/] as const;
const DAYS = ['a number from 0', /^\d|^Infinity$/] as const;
const SWITCH = ['a boolean, true or false'] as const;
const NAMES = ['an array of names (typeof object)', /^\d+\n\S/] as const;
const RULES: OptionRules = {
  minTrust: SCORE,
  minConfidence: SCORE,
  minTier: ['a string: low, medium or high', /^(low|medium|high)$/],
  verified: SWITCH,
  verdict: [
    'a string or an array (typeof object) of: verified, well_evidenced, little_evidence, warning',
    /^(\d+\n)?(verified|well_evidenced|little_evidence|warning)$/,
  ],
  notAffected: SWITCH,
  maxAge: DAYS,
  maxAgeDays: DAYS,
  type: ['a type of subject, as a string', /^(agent|skill|creator|social_account|messaging_account)$/],
  allow: NAMES,
  deny: NAMES,
};

/**
 * Validates a policy and returns a copy. An unknown member is an error: if a misspelt requirement were ignored, every
 * subject could pass. Throws a `ConfigurationError` that names the member.
 *
 * @example
 * const policy = checkedPolicy({ ...POLICY_PRESETS.recommended, minTrust: 60 });
 */
export function checkedPolicy(policy: TrustPolicy): TrustPolicy {
  const made = typeof policy === 'object' && policy !== null && Object.getPrototypeOf(policy);
  // Rejects arrays, Maps and class instances, whose values may not be own members.
  const isPlain = made === null || (made && Object.getPrototypeOf(made) === null);
  if (!isPlain) throw new ConfigurationError('The policy must be a plain object.');
  // The option rules treat a list as pairs of name and value. Convert a list of names to an object, which its rule can
  // check.
  const entries = Object.entries(policy).map(([name, value]) => [
    name,
    Array.isArray(value) ? { ...value } : value,
  ]);
  const read = readOptions(Object.fromEntries(entries), RULES);
  return Object.fromEntries(Object.keys(read).map((name) => [name, policy[name as keyof TrustPolicy]]));
}

/** Returns true if the policy requires trust, confidence, tier or ownership, which an unlisted package cannot have. */
const demandsScore = ({ minTrust, minConfidence, minTier, verified }: TrustPolicy) =>
  minTrust !== undefined || minConfidence !== undefined || minTier !== undefined || verified === true;

/**
 * Returns true if the policy has a requirement on trust, confidence, tier, ownership, verdict or advisories. Type and
 * age alone would accept the worst score.
 *
 * @example
 * if (!isDemanding({ maxAge: 30 })) throw new Error('The policy decides nothing.');
 */
export const isDemanding = (policy: TrustPolicy) =>
  demandsScore(policy) || policy.verdict !== undefined || policy.notAffected === true;

const NO_POLICY: TrustReason = {
  code: 'no_policy',
  message: 'No policy: nothing was decided.',
};
/** Reasons that refuse a subject only if the policy has requirements. */
const UNKNOWN: readonly string[] = ['unknown_subject', 'ambiguous_subject', 'no_score'];
/** Reasons that alone make the outcome `undecided`, not `refused`. */
const OPEN: readonly string[] = ['no_policy', 'standing_unknown'];
/** Categories of advisories about intentionally malicious packages. */
const MALICIOUS: readonly string[] = ['malware', 'dependency_confusion'];

/**
 * Judges a subject by a policy that {@link checkedPolicy} has validated. Sends no request.
 *
 * @example
 * const record = await client.subjects.lookup('google-gemini/gemini-cli');
 * const facts = { subject: 'google-gemini/gemini-cli', record, package: null, absence: null };
 * const { outcome } = judgeSubject(facts, checkedPolicy({ minTrust: 60 }));
 */
export function judgeSubject(facts: SubjectFacts, policy: TrustPolicy): TrustCheck {
  const { record } = facts;
  const reasons = reasonsAgainst(facts, policy);
  const isDecided = isDemanding(policy);
  const refuses = ({ code }: TrustReason) => !OPEN.includes(code) && (isDecided || !UNKNOWN.includes(code));
  const outcome =
    reasons.length === 0 ? 'passed' : reasons.some(refuses) ? 'refused' : ('undecided' as const);
  return { ok: outcome === 'passed', outcome, reasons, record };
}

function reasonsAgainst(facts: SubjectFacts, policy: TrustPolicy): TrustReason[] {
  const { record } = facts;
  const absence = facts.absence ?? unconfirmedOf(facts);
  if (absence?.code === 'removed_subject') return [absence];
  if (matchesName(policy.deny, facts)) return [{ code: 'denied', message: 'The policy denies it.' }];
  if (matchesName(policy.allow, facts)) return [];
  const reasons = [...packageReasons(facts, policy)];
  if (record && !absence) reasons.push(...recordReasons(record, policy));
  else if (absence && !isDecidedByAdvisories(absence, facts, policy)) reasons.push(absence);
  const { verdict } = policy;
  const warning = record?.verdict?.state === 'warning' ? record.verdict.sentence : maliceOf(facts);
  if (warning && !verdict?.includes('warning'))
    reasons.unshift({ code: 'warning', message: `Warning: ${warning}` });
  // If there is another reason than a Warning, that reason is enough and `no_policy` is not added.
  if (!isDemanding(policy) && reasons.every(({ code }) => code === 'warning')) reasons.push(NO_POLICY);
  return reasons;
}

/**
 * Returns true if the package is not listed and its advisories are known, and the policy has `notAffected` but requires
 * no score or ownership. The policy's `verdict` does not count for such a package.
 */
const isDecidedByAdvisories = (absence: TrustReason, facts: SubjectFacts, policy: TrustPolicy) =>
  absence.code === 'unknown_subject' &&
  policy.notAffected === true &&
  !demandsScore(policy) &&
  facts.package !== null;

/** Returns the reason if the score of the record's repository does not apply to the package; otherwise null. */
function unconfirmedOf({ record, isUnconfirmed }: SubjectFacts): TrustReason | null {
  if (!record || !isUnconfirmed) return null;
  const repository = record.repository ?? record.name;
  const message = `Only a list names this package for ${repository}, so the score of ${repository} says nothing about it.`;
  return { code: 'unknown_subject', message };
}

/** Returns the summary of an advisory that reports the named version as malicious; undefined without one. */
function maliceOf({ package: of }: SubjectFacts): string | undefined {
  const { version, standing, advisories } = of ?? {};
  if (standing !== 'affected' || version === null) return undefined;
  return advisories?.find(({ category }) => MALICIOUS.includes(category))?.summary;
}

function* packageReasons({ package: of, record }: SubjectFacts, policy: TrustPolicy): Generator<TrustReason> {
  if (!policy.notAffected) return;
  if (of === null) {
    // Advisories exist only for packages. For other subjects, the policy needs another requirement.
    const isOtherwiseDemanding = isDemanding({ ...policy, notAffected: undefined });
    if (record && !isOtherwiseDemanding)
      yield { code: 'standing_unknown', message: 'Advisories are known of npm and PyPI packages only.' };
    return;
  }
  const { standing, version, advisories } = of;
  if (standing === 'affected' && version !== null) {
    const ids = advisories.map(({ id }) => id).join(', ');
    yield { code: 'affected', message: `Version ${version} is affected by ${ids || 'an advisory'}.` };
  } else if (standing === 'affected') {
    yield { code: 'standing_unknown', message: 'Some versions are affected, and no version is named.' };
  } else if (standing !== 'not_affected') {
    yield { code: 'standing_unknown', message: 'It is not known whether an advisory affects it.' };
  }
}

/** Returns the rank of a tier; NaN for an unknown one. */
const rankOf = (tier: string): number => TIERS.indexOf(tier) + 1 || Number.NaN;
const DAY_MS = 86_400_000;

/** Yields the reasons against a record. Comparisons are negated, so that NaN and unknown tiers fail them. */
function* recordReasons(record: SubjectRecord, policy: TrustPolicy): Generator<TrustReason> {
  const { trustScore, confidence, tier, type, score_version: madeAt, verdict } = record;
  const { minTrust = 0, minConfidence = 0, minTier, verified } = policy;
  const maxAge = Math.min(
    policy.maxAge ?? Number.POSITIVE_INFINITY,
    policy.maxAgeDays ?? Number.POSITIVE_INFINITY,
  );
  if (policy.type && type !== policy.type) {
    yield { code: 'wrong_type', message: `The type is ${type}, not ${policy.type}.` };
  }
  // A check of advisories alone needs no score.
  const isScoreNeeded = demandsScore(policy) || policy.verdict !== undefined || !policy.notAffected;
  if (trustScore === null || confidence === null || madeAt === null) {
    if (isScoreNeeded) yield { code: 'no_score', message: 'There is no confirmed score.' };
    return;
  }
  if (!(trustScore >= minTrust)) {
    yield { code: 'low_trust', message: `Trust is ${trustScore}; the minimum is ${minTrust}.` };
  }
  if (!(confidence >= minConfidence)) {
    yield {
      code: 'low_confidence',
      message: `Confidence is ${confidence}; the minimum is ${minConfidence}.`,
    };
  }
  if (minTier && !(rankOf(tier) >= rankOf(minTier))) {
    yield { code: 'low_tier', message: `The tier is ${tier}; the minimum is ${minTier}.` };
  }
  if (verified && !(record.verified ?? verdict?.state === 'verified')) {
    yield {
      code: 'not_verified',
      message: 'Its creator has not proved the account that owns the repository.',
    };
  }
  const accepted = policy.verdict;
  const state = verdict?.state;
  if (
    accepted &&
    !(state && (typeof accepted === 'string' ? [accepted] : accepted).some((each) => each === state))
  ) {
    yield {
      code: 'wrong_verdict',
      message: `The verdict is ${state ?? 'unknown'}; accepted: ${[accepted].flat().join(', ')}.`,
    };
  }
  if (!(Date.now() - Date.parse(madeAt) <= maxAge * DAY_MS)) {
    yield { code: 'old_score', message: `The score of ${madeAt} is more than ${maxAge} days old.` };
  }
}

/**
 * Returns true if a pattern matches one of the subject's names, its repository or one of its ids, ignoring case. `*`
 * matches any characters.
 *
 * @example
 * const isOurs = matchesName(['npm:@example/*'], { subject: 'npm:@example/tool', record: null });
 */
export function matchesName(
  patterns: readonly string[] | undefined,
  { subject, names = [], record }: Pick<SubjectFacts, 'subject' | 'names' | 'record'>,
): boolean {
  const all = [subject, ...names, record?.repository, record?.agent_id, record?.canonical_id];
  return (patterns ?? []).some((pattern) => {
    const source = spelling(pattern)
      .split('*')
      .map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
    const exact = new RegExp(`^${source.join('.*')}$`, 'i');
    return all.some((name) => name && exact.test(spelling(name)));
  });
}

/** Returns one spelling for all names that PyPI treats as equal, such as `a_b`, `a.b` and `a--b`. */
const spelling = (name: string) => (/^pypi:/i.test(name) ? name.replaceAll(/[-_.]+/g, '-') : name);
