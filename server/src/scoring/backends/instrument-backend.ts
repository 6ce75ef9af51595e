import type { ScoringBackend } from '../scoring-backend.ts';
import { BackendBusy } from './backend-reply.ts';

/** Outcome of a request to a backend; `timeout` means that its caller aborted it. */
export type BackendOutcome = 'answered' | 'busy' | 'timeout' | 'failed';

/**
 * Wraps a backend and reports each request: `begin` is called at its start and returns a function that is called once
 * with the outcome. A request ends when its caller aborts it, even if the backend goes on.
 */
export function instrumentBackend(
  backend: ScoringBackend,
  begin: () => (outcome: BackendOutcome) => void,
): ScoringBackend {
  return {
    source: backend.source,
    // Without `scoreSync`, calls would be reserved and charged in two steps, as for a remote backend.
    ...(backend.scoreSync && { scoreSync: watchSync(backend.scoreSync.bind(backend), begin) }),
    async score(request, signal) {
      let report: ((outcome: BackendOutcome) => void) | null = begin();
      const end = (outcome: BackendOutcome) => {
        signal.removeEventListener('abort', onAbort);
        report?.(outcome);
        report = null;
      };
      const onAbort = () => end('timeout');
      signal.addEventListener('abort', onAbort);
      try {
        const score = await backend.score(request, signal);
        end('answered');
        return score;
      } catch (error) {
        end(error instanceof BackendBusy ? 'busy' : 'failed');
        throw error;
      }
    },
  };
}

function watchSync(
  score: NonNullable<ScoringBackend['scoreSync']>,
  begin: () => (outcome: BackendOutcome) => void,
): NonNullable<ScoringBackend['scoreSync']> {
  return (request) => {
    const end = begin();
    try {
      const answer = score(request);
      end('answered');
      return answer;
    } catch (error) {
      end('failed');
      throw error;
    }
  };
}
