/**
 * `refused`: a rule forbids the address, and no connection was made. `redirected`: the answer leads elsewhere.
 * `timeout`, `too_large`: a limit of ours was reached. `no_answer`: the name, the connection or the answer failed.
 */
export type OutboundFailureKind = 'refused' | 'redirected' | 'timeout' | 'too_large' | 'no_answer';

/** A call to somebody else's server came to nothing. The message is for the log and quotes nothing of an answer. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
