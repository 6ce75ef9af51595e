/**
 * Why a host could not be read. `not_found`: it says there is no such thing. `moved`: what answers is something else, or
 * somewhere else, than was asked for. `unreadable`: nobody can read this host's
 * profiles without signing in, only an operator can confirm. `limited`: it asks us to wait. `unavailable`: no answer, or
 * a failing one. `unusable`: an answer that is not what the host documents.
 */
export type HostFailureKind = 'not_found' | 'moved' | 'unreadable' | 'limited' | 'unavailable' | 'unusable';

/** A host could not be read. The message is ours, for a person: no text of the host is ever in it. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly kind: HostFailureKind;
  /** How long the host asks us to leave it alone; null where it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(kind: HostFailureKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
