import { problemsOf } from './check-answer.ts';
import { operationOf } from './documented-answers.ts';

/** Operation and status of a received answer that conforms to the contract. */
export interface Observation {
  readonly operationId: string;
  readonly status: number;
}

/**
 * Creates the fetch function that every request of these tests goes through: it rejects answers that the contract does not
 * allow, and passes all others to `observe`.
 */
export function observedFetch(
  observe: (observation: Observation) => void,
  send: (request: Request) => Promise<Response> = fetch,
) {
  return async (request: Request): Promise<Response> => {
    const response = await send(request);
    const { pathname } = new URL(request.url);
    const operation = operationOf(request.method, pathname);
    if (!operation) throw new Error(`the contract has no ${request.method} ${pathname}`);
    const { status, headers } = response;
    const problems = problemsOf(operation, { status, headers, body: await response.clone().text() });
    if (problems.length > 0) {
      throw new Error(
        `${operation.operationId} answered ${status} against the contract:\n- ${problems.join('\n- ')}`,
      );
    }
    observe({ operationId: operation.operationId, status });
    return response;
  };
}
