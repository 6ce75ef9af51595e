import { TrustDirectoryError } from './errors.ts';

/** Fault of a document that must not be believed. */
export type VerificationCode =
  /** The document is no compact JWS of a score, or not in canonical form. */
  | 'malformed'
  /** The document is of another type. */
  | 'wrong_type'
  /** The algorithm is not EdDSA, but for example `none`. */
  | 'wrong_algorithm'
  /** The header names a key, an address or an extension. */
  | 'forbidden_header'
  /** No key of the issuer has the id that the document names. */
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_issuer'
  | 'expired'
  | 'not_yet_valid'
  /** The hash of the inputs does not fit the inputs. */
  | 'wrong_inputs';

/** Thrown by `verifyScore` and `decodeScore` if a signed score must not be believed. */
export class VerificationError extends TrustDirectoryError {
  override readonly name = 'VerificationError';
  /** Fault of the document. */
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string, details?: object) {
    super(message, details);
    this.code = code;
  }
}
