import type { TrustDirectory } from './client.ts';
import type { ChangePage } from './contract/models.ts';
import { type ChangeQuery, type Changes, changeReadsOf } from './resources/changes.ts';
import type { CallOptions } from './transport/client-options.ts';

/**
 * Returns the methods of the change feed. It is a separate function, so that only programs that use it bundle it.
 *
 * @example
 * import { changesOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory();
 * for await (const { agent, agent_id, removed } of changesOf(client).list({ since: '2026-11-20T00:00:00Z' }))
 *   console.log(agent_id, removed ? 'removed' : agent?.name);
 */
export const changesOf = (client: TrustDirectory): Changes => changeReadsOf(client.call);

/** Options of {@link followChanges}. */
export interface FollowOptions extends CallOptions {
  /** Milliseconds to wait, after the last published page, before the next read. Default: 5,000. */
  pauseMs?: number;
}

/**
 * Yields pages of changes without end: first those after `query.cursor` or since `query.since`, then new ones as they
 * are published. Each read yields a page, which may be empty. Process a page as a unit and store its `cursor` together
 * with your result, to continue from there later. Rejects with an `AbortError` when `signal` aborts, and with the error
 * of a failed read.
 *
 * @example
 * import { followChanges, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory();
 * const signal = AbortSignal.timeout(60_000);
 * for await (const { data, cursor } of followChanges(client, { since: new Date().toISOString() }, { signal }))
 *   console.log(data.length, cursor);
 */
export async function* followChanges(
  client: TrustDirectory,
  query: ChangeQuery,
  { pauseMs = 5_000, ...options }: FollowOptions = {},
): AsyncGenerator<ChangePage, never> {
  const { signal } = options;
  for (let asked = query; ; ) {
    const page = await changesOf(client).list(asked, options);
    yield page;
    asked = { ...query, cursor: page.cursor };
    if (page.nextCursor !== null) continue;
    // An abort ends the pause; the next read then rejects.
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, pauseMs);
      signal?.addEventListener('abort', go);
    });
  }
}
