import { HostFailure } from './host-failure.ts';

/**
 * True for one handle in two spellings: capitals of ASCII count as their small letters, and nothing else does. Letters
 * that only look alike, or that Unicode folds into ASCII (the Kelvin sign into k), are other letters.
 */
export function isSameHandle(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && folded(one) === folded(other);
}

function folded(handle: string): string {
  return handle.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What an answer says of whose it is. */
interface Answered {
  readonly hostAccountId: string;
  readonly handle: string;
}

/**
 * An answer counts only for the account that was asked: throws HostFailure `moved` unless it has the asked handle. A
 * host may read a name as an id, lead from an old name to a new one, or answer with what it finds similar.
 */
export function requireAskedHandle(asked: string, answered: Answered, host: string): void {
  if (!isSameHandle(asked, answered.handle)) throw otherAccount(host);
}

/** The same for a second answer about one account: throws HostFailure `moved` where id or handle have changed. */
export function requireSameAccount(first: Answered, second: Answered, host: string): void {
  const isSame = first.hostAccountId === second.hostAccountId && isSameHandle(first.handle, second.handle);
  if (!isSame) throw otherAccount(host);
}

function otherAccount(host: string): HostFailure {
  return new HostFailure('moved', `${host} answered with another account than was asked for.`);
}
