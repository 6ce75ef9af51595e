import * as sdk from '@trust-directory/sdk';

const NEVER_RIGHT = [sdk.BadRequestError, sdk.PayloadTooLargeError, sdk.UnsupportedMediaTypeError];

/**
 * Says what a person can do about each kind of failure; the general kinds come last. Running again with the same idempotency
 * key is always safe: it is charged once.
 */
export function adviceOn(error: unknown): string {
  if (NEVER_RIGHT.some((kind) => error instanceof kind)) return 'Correct the request.';
  if (error instanceof sdk.UnauthorizedError) return 'Set TRUST_DIRECTORY_API_KEY to a key that is active.';
  if (error instanceof sdk.InsufficientCreditsError) return 'Wait for the next month, or buy credits.';
  if (error instanceof sdk.ForbiddenError) return 'Use a key with the scope that the operation needs.';
  if (error instanceof sdk.NotFoundError) return 'Check the spelling, or search the directory for it.';
  if (error instanceof sdk.ConflictError) return adviceOnConflict(error);
  if (error instanceof sdk.IdempotencyKeyReusedError) return 'That key names another request: use a new one.';
  if (error instanceof sdk.RateLimitError) return `Wait ${waitOf(error)}, then go on with ${keyOf(error)}.`;
  if (error instanceof sdk.NotImplementedError) return 'That channel is reserved; use the default one.';
  if (error instanceof sdk.BadGatewayError) return `${chargeOf(error)}Later, run again with ${keyOf(error)}.`;
  if (error instanceof sdk.UnexpectedAnswerError) return 'Check TRUST_DIRECTORY_URL: it leads elsewhere.';
  if (error instanceof sdk.ConfigurationError) return 'Correct the client’s options.';
  if (error instanceof sdk.ConnectionError) return `Check the network, then run again with ${keyOf(error)}.`;
  if (error instanceof sdk.TrustDirectoryError) return `Later, run again with ${keyOf(error)}.`;
  return 'This is a fault of the program.';
}

function adviceOnConflict(error: sdk.ConflictError): string {
  if (error.code === 'idempotency_in_progress')
    return `It is still running. Send it again with ${keyOf(error)}.`;
  const choices = error.candidates.map(
    ({ canonical_id, repository, name }) => `${canonical_id} (${repository ?? name})`,
  );
  return `Send one of these instead: ${choices.join(', ')}.`;
}

function keyOf({ idempotencyKey }: sdk.TrustDirectoryError): string {
  return idempotencyKey === null ? 'the same request' : `the idempotency key ${idempotencyKey}`;
}

function waitOf({ retryAfterMs }: sdk.RateLimitError): string {
  return retryAfterMs === null ? 'a moment' : `${retryAfterMs / 1000} seconds`;
}

/**
 * Says that nothing was charged if a 502 has a receipt, because the service then reversed the call. A 502 without one may
 * come from a gateway, which does not know.
 */
function chargeOf({ ledgerId }: sdk.BadGatewayError): string {
  return ledgerId === null ? '' : 'You were not charged. ';
}
