import type { SubjectRecord } from './contract/models.ts';
import { ApiError } from './errors/api-errors.ts';
import { ConfigurationError, TrustDirectoryError } from './errors/errors.ts';
import type { LookupQuery, Subjects } from './resources/subjects.ts';
import { type Rules, readOptions } from './transport/options.ts';
import type { CallOptions } from './transport/settings.ts';

/**
 * What a subject has to be. A confirmed score is needed in any case. Without a least trust, confidence or tier there is nothing
 * to meet: then no subject meets the policy, and the reason is `no_policy`.
 */
export interface TrustPolicy {
  /** Least trust, 0–100. */
  minTrust?: number | undefined;
  /** Least confidence, 0–100. */
  minConfidence?: number | undefined;
  /** Least tier. */
  minTier?: 'low' | 'medium' | 'high' | undefined;
  /** Days that may have passed since the score was made. */
  maxAgeDays?: number | undefined;
  /** What type the subject has to be; subjects of other types are ignored. */
  type?: LookupQuery['type'];
}

/** Why a subject isn't trusted: a word to branch on, and a sentence for a person. */
export interface TrustReason {
  readonly code:
    | 'unknown_subject'
    /** The operator removed it from the directory. */
    | 'removed_subject'
    | 'ambiguous_subject'
    | 'wrong_type'
    | 'no_score'
    | 'low_trust'
    | 'low_confidence'
    | 'low_tier'
    | 'old_score'
    /** Nothing is against it, but the policy demands nothing of the score that could speak for it. */
    | 'no_policy';
  readonly message: string;
}

/** The result of a check. */
export interface TrustCheck {
  /** Whether the subject meets the policy. */
  readonly ok: boolean;
  /** Every reason against it, in the policy's order; empty if `ok`. */
  readonly reasons: readonly TrustReason[];
  /** What the directory says about the subject; null if it isn't one known subject. */
  readonly record: SubjectRecord | null;
}

/**
 * The subject doesn't meet the policy.
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

/** Anything that can look subjects up, such as a client. */
export interface LookupClient {
  readonly subjects: Pick<Subjects, 'lookup'>;
}

const TIERS = ['low', 'medium', 'high'];
const SCORE = ['a number from 0 to 100', /^(\d{1,2}(\.\d+)?|100)$/] as const;
const RULES: Rules = {
  minTrust: SCORE,
  minConfidence: SCORE,
  minTier: ['a string: low, medium or high', /^(low|medium|high)$/],
  maxAgeDays: ['a number from 0', /^\d|^Infinity$/],
  type: ['a type of subject, as a string', /^(agent|skill|creator|social_account|messaging_account)$/],
};

/** The policy, checked: a mistyped word that is overlooked would let everything through. */
function checkedPolicy(policy: TrustPolicy): TrustPolicy {
  const made = typeof policy === 'object' && policy !== null && Object.getPrototypeOf(policy);
  // A list, a Map or a class may keep its values where they aren't read.
  const isPlain = made === null || (made && Object.getPrototypeOf(made) === null);
  if (!isPlain) throw new ConfigurationError('The policy must be a plain object.');
  return readOptions(policy, RULES);
}

/** Whether it demands anything of the score; a type or an age alone would let the worst score through. */
const isDemanding = ({ minTrust, minConfidence, minTier }: TrustPolicy) =>
  [minTrust, minConfidence, minTier].some((least) => least !== undefined);

const NO_POLICY: TrustReason = {
  code: 'no_policy',
  message: 'The policy names no least trust, confidence or tier, so nothing says what is enough.',
};

/** A tier's place in their order; NaN for a word that has none. */
const rankOf = (tier: string): number => TIERS.indexOf(tier) + 1 || Number.NaN;
const DAY_MS = 86_400_000;

/**
 * Whether a subject meets a policy, by its stored record: free, and no key is needed. A subject that can't be found, is
 * ambiguous, was removed or has no score never does, and under an empty policy nothing does. Rejects if the directory can't be reached, so don't take that for a yes, and with a
 * `ConfigurationError` for a policy with a member that doesn't exist or has an impossible value.
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
 * As {@link checkTrust}, but rejects with a {@link PolicyError} that has the reasons if the subject doesn't meet the policy:
 * nothing after the `await` runs unless it does.
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

/** A subject that isn't there, or isn't one; undefined for failures that say nothing about the subject. */
function reasonOf({ code, message }: ApiError): TrustReason | undefined {
  if (code === 'not_found') return { code: 'unknown_subject', message };
  if (code === 'gone') return { code: 'removed_subject', message };
  if (code === 'subject_ambiguous') return { code: 'ambiguous_subject', message };
  return undefined;
}

/** Every comparison is written so that NaN and unknown words count against the subject. */
function* reasonsAgainst(record: SubjectRecord, policy: TrustPolicy): Generator<TrustReason> {
  const { trustScore, confidence, tier, type, score_version: madeAt } = record;
  const { minTrust = 0, minConfidence = 0, minTier, maxAgeDays = Number.POSITIVE_INFINITY } = policy;
  if (policy.type && type !== policy.type) {
    yield { code: 'wrong_type', message: `It is a ${type}, not a ${policy.type}.` };
  }
  if (trustScore === null || confidence === null || madeAt === null) {
    yield { code: 'no_score', message: 'It has no confirmed score.' };
    return;
  }
  if (!(trustScore >= minTrust)) {
    yield { code: 'low_trust', message: `Its trust is ${trustScore}, not ${minTrust} or more.` };
  }
  if (!(confidence >= minConfidence)) {
    yield {
      code: 'low_confidence',
      message: `Its confidence is ${confidence}, not ${minConfidence} or more.`,
    };
  }
  if (minTier && !(rankOf(tier) >= rankOf(minTier))) {
    yield { code: 'low_tier', message: `Its tier is ${tier}, not ${minTier} or higher.` };
  }
  if (!(Date.now() - Date.parse(madeAt) <= maxAgeDays * DAY_MS)) {
    yield { code: 'old_score', message: `Its score is of ${madeAt}, more than ${maxAgeDays} days ago.` };
  }
}
