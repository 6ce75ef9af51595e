import { DomainError } from '../src/platform/errors/domain-error.ts';

/**
 * Repeats work until it no longer fails because a stand-in host answered too late, which happens on a loaded machine.
 */
export async function untilHostAnswers(work: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      const result = await work();
      if ((result as { outcome?: unknown } | null | undefined)?.outcome !== 'failed') return result;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
    }
  }
}
