import type { Connection } from '../database/connect.ts';

/** Notes which keys were used, off the hot path and to the minute. */
export interface LastUsed {
  note(keyId: string): void;
  /** Writes what was noted; a failed write is dropped, since the note is a convenience. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function startLastUsed(connection: Connection, periodMs: number): LastUsed {
  let noted = new Set<string>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const keyIds = [...noted];
    noted = new Set();
    await connection
      .query(
        `UPDATE access_key SET last_used_at = date_trunc('minute', ledger_now()) WHERE id = ANY ($1::uuid[])
           AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', ledger_now()))`,
        [keyIds],
      )
      .catch(() => undefined);
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
