import { TrustDirectoryError } from './errors.ts';

/** Reason why a document must not be trusted. */
export type VerificationCode =
  /** The document is not a compact JWS of a score, or is not in canonical form. */
  | 'malformed'
  /** The document has another type. */
  | 'wrong_type'
  /** The algorithm is not EdDSA; for example, it is `none`. */
  | 'wrong_algorithm'
  /** The header contains a key, a URL or an extension. */
  | 'forbidden_header'
  /** The issuer has no key with the document's key id. */
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_issuer'
  /** The document is about another subject than the expected one. */
  | 'wrong_subject'
  | 'expired'
  | 'not_yet_valid'
  /** The input hash does not match the inputs. */
  | 'wrong_inputs';

/** Thrown by `verifyScore` and `decodeScore` if a signed score must not be trusted. */
export class VerificationError extends TrustDirectoryError {
  override readonly name = 'VerificationError';
  /** Reason why verification failed. */
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string, details?: object) {
    super(message, details);
    this.code = code;
  }
}
