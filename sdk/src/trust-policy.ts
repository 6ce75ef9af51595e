import type { SubjectRecord } from './contract/models.ts';
import { ApiError } from './errors/api-errors.ts';
import { ConfigurationError, TrustDirectoryError } from './errors/errors.ts';
import type { LookupQuery, Subjects } from './resources/subjects.ts';
import type { CallOptions } from './transport/client-options.ts';
import { type OptionRules, readOptions } from './transport/read-options.ts';

/**
 * Requirements on a subject; a confirmed score is always required. A policy without minimum trust, confidence or tier
 * is never met; the reason is then `no_policy`.
 */
export interface TrustPolicy {
  /** Minimum trust, from 0 to 100. */
  minTrust?: number | undefined;
  /** Minimum confidence, from 0 to 100. */
  minConfidence?: number | undefined;
  /** Minimum tier of the subject. */
  minTier?: 'low' | 'medium' | 'high' | undefined;
  /** Maximum age of the score in days. */
  maxAgeDays?: number | undefined;
  /** Required type; the look-up ignores subjects of other types. */
  type?: LookupQuery['type'];
}

/** Reason against a subject: a code to branch on and a message for people. */
export interface TrustReason {
  readonly code:
    | 'unknown_subject'
    /** The operator removed the subject from the directory. */
    | 'removed_subject'
    | 'ambiguous_subject'
    | 'wrong_type'
    | 'no_score'
    | 'low_trust'
    | 'low_confidence'
    | 'low_tier'
    | 'old_score'
    /** The policy has no minimum trust, confidence or tier. */
    | 'no_policy';
  readonly message: string;
}

/** Result of a check. */
export interface TrustCheck {
  /** True if the subject meets the policy. */
  readonly ok: boolean;
  /** All reasons against the subject, in the policy's order; empty if `ok`. */
  readonly reasons: readonly TrustReason[];
  /** Record of the subject; null if it is unknown, removed or ambiguous. */
  readonly record: SubjectRecord | null;
}

/**
 * Thrown if the subject doesn't meet the policy.
 *
 * @example
 * await assertTrust(client, 'a/b', { minTrust: 70 }).catch((error) => {
 *   if (error instanceof PolicyError) console.error(error.reasons.map(({ code }) => code));
 *   throw error;
 * });
 */
export class PolicyError extends TrustDirectoryError implements TrustCheck {
  override readonly name = 'PolicyError';
  declare readonly ok: false;
  declare readonly reasons: readonly TrustReason[];
  declare readonly record: SubjectRecord | null;
}

/** Object that can look subjects up, such as a client. */
export interface LookupClient {
  readonly subjects: Pick<Subjects, 'lookup'>;
}

const TIERS = ['low', 'medium', 'high'];
const SCORE = ['a number from 0 to 100', /^(\d{1,2}(\.\d+)?|100)$/] as const;
const RULES: OptionRules = {
  minTrust: SCORE,
  minConfidence: SCORE,
  minTier: ['a string: low, medium or high', /^(low|medium|high)$/],
  maxAgeDays: ['a number from 0', /^\d|^Infinity$/],
  type: ['a type of subject, as a string', /^(agent|skill|creator|social_account|messaging_account)$/],
};

/** Validates the policy. A mistyped member must not be ignored, because every subject could then pass. */
function checkedPolicy(policy: TrustPolicy): TrustPolicy {
  const made = typeof policy === 'object' && policy !== null && Object.getPrototypeOf(policy);
  // Rejects arrays, Maps and class instances, whose values may not be own members.
  const isPlain = made === null || (made && Object.getPrototypeOf(made) === null);
  if (!isPlain) throw new ConfigurationError('The policy must be a plain object.');
  return readOptions(policy, RULES);
}

/** Returns whether the policy has a minimum; type and age alone would accept the worst score. */
const isDemanding = ({ minTrust, minConfidence, minTier }: TrustPolicy) =>
  [minTrust, minConfidence, minTier].some((least) => least !== undefined);

const NO_POLICY: TrustReason = {
  code: 'no_policy',
  message: 'The policy has no minimum trust, confidence or tier.',
};

/** Returns the rank of a tier; NaN for an unknown one. */
const rankOf = (tier: string): number => TIERS.indexOf(tier) + 1 || Number.NaN;
const DAY_MS = 86_400_000;

/**
 * Checks the stored record of a subject against a policy. Free, without a key. A subject that is unknown, ambiguous,
 * removed or not scored never meets a policy. Rejects if the look-up fails for any other reason, such as an unreachable
 * directory, because that must not count as a pass. Rejects with a `ConfigurationError` for a policy with an unknown or
 * invalid member.
 *
 * @example
 * const { ok, reasons } = await checkTrust(client, 'npm:@upstash/context7-mcp', { minTrust: 60, minConfidence: 40 });
 * if (!ok) console.warn(reasons.map(({ message }) => message).join(' '));
 */
export async function checkTrust(
  client: LookupClient,
  subject: string,
  policy: TrustPolicy,
  options?: CallOptions,
): Promise<TrustCheck> {
  const checked = checkedPolicy(policy);
  try {
    const record = await client.subjects.lookup(subject, { type: checked.type }, options);
    const reasons = [...reasonsAgainst(record, checked)];
    if (reasons.length === 0 && !isDemanding(checked)) reasons.push(NO_POLICY);
    return { ok: reasons.length === 0, reasons, record };
  } catch (error) {
    const reason = error instanceof ApiError && reasonOf(error);
    if (!reason) throw error;
    return { ok: false, reasons: [reason], record: null };
  }
}

/**
 * Checks like {@link checkTrust}, and rejects with a {@link PolicyError} that has the reasons if the subject doesn't
 * meet the policy. Code after the `await` runs only for subjects that do.
 *
 * @example
 * await assertTrust(client, 'google-gemini/gemini-cli', { minTrust: 70, minConfidence: 50, maxAgeDays: 30 });
 */
export async function assertTrust(
  client: LookupClient,
  subject: string,
  policy: TrustPolicy,
  options?: CallOptions,
): Promise<TrustCheck & { readonly ok: true; readonly record: SubjectRecord }> {
  const { ok, reasons, record } = await checkTrust(client, subject, policy, options);
  if (ok && record) return { ok, reasons, record };
  const sentences = reasons.map(({ message }) => message).join(' ');
  throw new PolicyError(`${subject} doesn't meet the policy. ${sentences}`, { ok, reasons, record });
}

/** Converts an unknown, removed or ambiguous subject to a reason; returns undefined for errors that say nothing about it. */
function reasonOf({ code, message }: ApiError): TrustReason | undefined {
  if (code === 'not_found') return { code: 'unknown_subject', message };
  if (code === 'gone') return { code: 'removed_subject', message };
  if (code === 'subject_ambiguous') return { code: 'ambiguous_subject', message };
  return undefined;
}

/** Yields the reasons. Comparisons are negated, so that NaN and unknown tiers count against the subject. */
function* reasonsAgainst(record: SubjectRecord, policy: TrustPolicy): Generator<TrustReason> {
  const { trustScore, confidence, tier, type, score_version: madeAt } = record;
  const { minTrust = 0, minConfidence = 0, minTier, maxAgeDays = Number.POSITIVE_INFINITY } = policy;
  if (policy.type && type !== policy.type) {
    yield { code: 'wrong_type', message: `The type is ${type}, not ${policy.type}.` };
  }
  if (trustScore === null || confidence === null || madeAt === null) {
    yield { code: 'no_score', message: 'There is no confirmed score.' };
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
  if (!(Date.now() - Date.parse(madeAt) <= maxAgeDays * DAY_MS)) {
    yield { code: 'old_score', message: `The score of ${madeAt} is more than ${maxAgeDays} days old.` };
  }
}
