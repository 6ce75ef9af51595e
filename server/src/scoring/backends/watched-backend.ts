import type { ScoringBackend } from '../scoring-backend.ts';
import { BackendBusy } from './backend-busy.ts';

/** How a request to a backend ended; `timeout` is one that its caller gave up on. */
export type BackendOutcome = 'answered' | 'busy' | 'timeout' | 'failed';

/**
 * The same backend; `begin` is told of each request, and what it answers of its end, once. A request ends with its caller's
 * patience, even where the backend goes on.
 */
export function watchedBackend(
  backend: ScoringBackend,
  begin: () => (outcome: BackendOutcome) => void,
): ScoringBackend {
  return {
    source: backend.source,
    // Without it calls would be held and charged apart, as if another process scored.
    ...(backend.scoreAtOnce && { scoreAtOnce: atOnce(backend.scoreAtOnce.bind(backend), begin) }),
    async score(request, signal) {
      let tell: ((outcome: BackendOutcome) => void) | null = begin();
      const end = (outcome: BackendOutcome) => {
        signal.removeEventListener('abort', giveUp);
        tell?.(outcome);
        tell = null;
      };
      const giveUp = () => end('timeout');
      signal.addEventListener('abort', giveUp);
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

function atOnce(
  score: NonNullable<ScoringBackend['scoreAtOnce']>,
  begin: () => (outcome: BackendOutcome) => void,
): NonNullable<ScoringBackend['scoreAtOnce']> {
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
