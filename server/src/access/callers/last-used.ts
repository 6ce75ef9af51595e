import type { Connection } from '../../platform/database/connect.ts';
import { saveLastUsed } from './caller.queries.ts';

/** Records to the minute which keys were used, in batches outside of the requests. */
export interface LastUsed {
  note(keyId: string): void;
  /** Writes the recorded keys. A failed write is dropped, because the times are informational. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function startLastUsed(connection: Connection, periodMs: number): LastUsed {
  let noted = new Set<string>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const keyIds = [...noted];
    noted = new Set();
    await saveLastUsed(connection, keyIds).catch(() => undefined);
  }

  const timer = setInterval(flush, periodMs);
  timer.unref();
  return {
    note: (keyId) => noted.add(keyId),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
