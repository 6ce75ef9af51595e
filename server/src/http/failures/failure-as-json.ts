import { addressKey } from '../limits/client-address.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { FailureForm } from './answer-failure.ts';
import { directoryErrorBody, METERED_PREFIX, meteredErrorBody } from './error-body.ts';

/** Failures of the API: in the shape of their route, and every 401 counted against the address that it came from. */
export function failureAsJson(rateLimits: Pick<RateLimits, 'countFailedCredential'>): FailureForm {
  return {
    challenges: true,
    show({ error, request }) {
      const isMetered = (request.routeOptions.url ?? request.url).startsWith(METERED_PREFIX);
      const body = isMetered ? meteredErrorBody(error, request.body) : directoryErrorBody(error);
      return { type: 'application/json; charset=utf-8', body };
    },
    async countGuess({ error, request }, reply) {
      // A valid credential never comes here, so one address guessing keys does not shut out its neighbours.
      if (error.status === 401) await rateLimits.countFailedCredential(addressKey(request), reply);
    },
  };
}
