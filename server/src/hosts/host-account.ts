/**
 * Reason why a host could not be read.
 * - `not_found`: the host has no such entry.
 * - `moved`: the answer is about another account, repository or package than requested, or redirects to another
 *   address.
 * - `unreadable`: this server cannot read such entries on the host, so only an operator can confirm an account there.
 * - `limited`: the host limits our requests.
 * - `unavailable`: the host gave no answer or an error, or the rules for requests forbid its address.
 * - `unusable`: the answer is not in the documented form, or is too large.
 */
type HostFailureKind = 'not_found' | 'moved' | 'unreadable' | 'limited' | 'unavailable' | 'unusable';

/** Thrown when a host could not be read. The message is written for people and never contains text from the host. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly kind: HostFailureKind;
  /** Seconds to wait before the next request; null unless the kind is `limited`. */
  readonly retryAfterSeconds: number | null;

  constructor(kind: HostFailureKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
/**
 * Place where the code of a proof was found: profile text, a file in a person's repository, a package, or a DNS record
 * of the domain that an organisation's profile names. `domain` exists only in old proofs, which accepted a file on the
 * website.
 */
export type CodePlace = 'profile' | 'repository' | 'package' | 'domain' | 'dns_record';

/** Public record of an account on a host. */
export interface HostAccount {
  /** Id that the host never assigns to another account. */
  hostAccountId: string;
  /** ISO 8601 UTC; null if the host does not show it. */
  createdAt: string | null;
  /** Spelled as on the host. */
  handle: string;
  /**
   * True if the account belongs to an organisation or may belong to one; false for package registries and for social
   * and messaging accounts. In an organisation, a code proves the account only if it was found in a place that only the
   * owners can write.
   */
  isOrganisation: boolean;
  /**
   * Place where the code of a proof was found, which only the account's owners can write. Null if the code was not
   * found or not searched.
   */
  codePlace: CodePlace | null;
  /** Domain whose DNS record has the code; absent for other places. */
  domain?: string | null;
  /** Page where a person can see the evidence. */
  evidenceUrl: string;
  /** Observations of a social or messaging account; null for other kinds. */
  facts: AccountObservations | null;
}

/** Facts of a social or messaging account as shown by its platform; null means unknown. */
export interface AccountObservations {
  name: string | null;
  verifiedMark: boolean | null;
  /** Followers, or members of a channel. */
  audience: number | null;
  /** Time of the latest post, ISO 8601 UTC. */
  lastPostAt: string | null;
  /** URLs in the profile, used to detect mutual links. */
  links: readonly string[];
}

/**
 * Compares two spellings of a handle, ignoring the case of ASCII letters only. Letters that look alike are different,
 * and so are letters that Unicode folds into ASCII (the Kelvin sign into k).
 */
export function isSameHandle(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && folded(one) === folded(other);
}

function folded(handle: string): string {
  return handle.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Account that an answer is about. */
interface Answered {
  readonly hostAccountId: string;
  readonly handle: string;
}

/**
 * Throws HostFailure `moved` unless the answer has the requested handle. A host may treat a name as an id, redirect
 * from an old name to a new one, or answer with a similar account.
 */
export function requireRequestedHandle(asked: string, answered: Answered, host: string): void {
  if (!isSameHandle(asked, answered.handle)) throw otherAccount(host);
}

/** Compares two answers about one account. Throws HostFailure `moved` if the id or the handle has changed. */
export function requireSameAccount(first: Answered, second: Answered, host: string): void {
  const isSame = first.hostAccountId === second.hostAccountId && isSameHandle(first.handle, second.handle);
  if (!isSame) throw otherAccount(host);
}

function otherAccount(host: string): HostFailure {
  return new HostFailure('moved', `${host} answered about a different account than requested.`);
}
