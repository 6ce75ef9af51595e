import type { PackageReport, SubjectRecord } from './contract/models.ts';
import { ApiError } from './errors/api-errors.ts';
import { TrustDirectoryError } from './errors/errors.ts';
import type { Packages } from './resources/packages.ts';
import type { Subjects } from './resources/subjects.ts';
import type { CallOptions } from './transport/client-options.ts';
import {
  checkedPolicy,
  judgeSubject,
  type PackageFacts,
  type TrustCheck,
  type TrustPolicy,
  type TrustReason,
} from './trust-policy.ts';

/**
 * Thrown by {@link assertTrust} if the subject doesn't meet the policy.
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
  declare readonly outcome: 'refused' | 'undecided';
  declare readonly reasons: readonly TrustReason[];
  declare readonly record: SubjectRecord | null;
}

/**
 * Object that can look up subjects, such as a client. `packages` reads the advisories of packages that the directory
 * does not list.
 */
export interface LookupClient {
  readonly subjects: Pick<Subjects, 'lookup'>;
  readonly packages?: Packages;
}

/**
 * Checks the stored record of a subject against a policy. Free, without a key. A removed subject never meets a policy.
 * An unknown or ambiguous subject meets it if `allow` has its name. An unknown package that no advisory affects also
 * meets a policy that has `notAffected` but none of `minTrust`, `minConfidence`, `minTier` and `verified`.
 * Rejects if the look-up fails, for example because the directory is unreachable: that must not count as a pass.
 * Rejects with a `ConfigurationError` for a policy with an unknown or invalid member.
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
  let record: SubjectRecord | null = null;
  let absence: TrustReason | undefined;
  try {
    record = await client.subjects.lookup(subject, { type: checked.type }, options);
  } catch (error) {
    absence = error instanceof ApiError ? reasonOf(error) : undefined;
    if (!absence) throw error;
  }
  let facts = packageOf(record);
  if (
    absence?.code === 'unknown_subject' &&
    checked.notAffected &&
    client.packages &&
    PACKAGE.test(subject)
  ) {
    facts = packageFacts(await client.packages.get(subject, options));
  }
  const isUnconfirmed = record?.package?.confirmed === false;
  return judgeSubject({ subject, record, package: facts, absence: absence ?? null, isUnconfirmed }, checked);
}

/**
 * Checks like {@link checkTrust}, and rejects with a {@link PolicyError} that has the reasons if the subject doesn't
 * meet the policy. Code after the `await` runs only for subjects that do.
 *
 * @example
 * await assertTrust(client, 'google-gemini/gemini-cli', { minTrust: 70, minConfidence: 50, maxAge: 30 });
 */
export async function assertTrust(
  client: LookupClient,
  subject: string,
  policy: TrustPolicy,
  options?: CallOptions,
): Promise<TrustCheck & { readonly ok: true }> {
  const check = await checkTrust(client, subject, policy, options);
  if (check.ok) return { ...check, ok: true };
  const sentences = check.reasons.map(({ message }) => message).join(' ');
  throw new PolicyError(`${subject} doesn't meet the policy. ${sentences}`, check);
}

const PACKAGE = /^(npm:|pypi:|pkg:npm\/|pkg:pypi\/)/;

/** Returns the facts of a record's package, with the standing of the named version or, without one, of the package. */
function packageOf(record: SubjectRecord | null): PackageFacts | null {
  const named = record?.package;
  if (!named) return null;
  return packageFacts({ ...named, standing: named.version_standing ?? named.standing });
}

const packageFacts = ({ version, standing, advisories }: Pick<PackageReport, keyof PackageFacts>) => ({
  version,
  standing,
  advisories,
});

/**
 * Converts the error for an unknown, removed or ambiguous subject to a reason; returns undefined for any other error.
 */
function reasonOf({ code, message }: ApiError): TrustReason | undefined {
  if (code === 'not_found') return { code: 'unknown_subject', message };
  if (code === 'gone') return { code: 'removed_subject', message };
  if (code === 'subject_ambiguous') return { code: 'ambiguous_subject', message };
  return undefined;
}
