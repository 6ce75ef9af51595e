import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import type { Connection } from '../../src/platform/database/connect.ts';
import type { ResponseCache } from '../../src/platform/http/response-cache/response-cache.ts';
import { subscribeToInvalidation } from '../../src/platform/http/response-cache/subscribe-to-invalidation.ts';
import { createServices, type Services } from '../../src/services.ts';
import { createStandIn } from '../stand-ins/stand-in-backend.ts';

/** Parts of a server over a database, as in a process of its own; several share nothing but the database. */
export interface ReadingProcess {
  readonly app: FastifyInstance;
  readonly services: Services;
  /** Null without a cache. */
  readonly cache: ResponseCache | null;
  /** Number of statements that its public responses have sent. */
  statements(): number;
  /** Sets a step between reading the rows of a statement and its response. Default: none. */
  onRows(work: (sql: string) => Promise<void>): void;
  close(): Promise<void>;
}

interface ReadingOptions {
  /** False disables the cache. */
  isCaching?: boolean;
  /** Another URL for notifications; null for none, so that it knows its own writes only. */
  notificationsUrl?: string | null;
  /**
   * Time for which cached responses are served after the last heartbeat. Default: no limit, so that a loaded machine changes
   * nothing.
   */
  staleAfterMs?: number | undefined;
  /** Maximum wait of a request for pending invalidations. Default: far longer than any machine needs. */
  confirmMs?: number | undefined;
  /** False to return before the process receives invalidations. Default: true. */
  waits?: boolean;
  /** URLs of read replicas. */
  replicas?: readonly string[];
}

const PATIENT_MS = 30_000;

/** Opens a process that is ready to cache responses. */
export async function openReadingProcess(
  databaseUrl: string,
  {
    isCaching: keeps = true,
    notificationsUrl: via = databaseUrl,
    staleAfterMs: trustedMs = Number.POSITIVE_INFINITY,
    confirmMs = PATIENT_MS,
    waits = true,
    replicas = [],
  }: ReadingOptions = {},
): Promise<ReadingProcess> {
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
    KEPT_ANSWERS_MB: keeps ? '64' : '0',
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URLS: replicas.join(),
    ...(replicas.length > 0 && { METRICS_PORT: '0' }),
  });
  const services = createServices(config, { databaseUrl, backend: createStandIn() });
  const { cache: memory } = services.answers;
  let count = 0;
  let work: (sql: string) => Promise<void> = async () => undefined;
  const reads: Connection = {
    ...services.reads,
    async query<Row extends object>(sql: string, bind?: readonly unknown[]) {
      count += 1;
      const rows = await services.reads.query<Row>(sql, bind);
      await work(sql);
      return rows;
    },
  };
  const app = await buildApp({ ...services, answers: { ...services.answers, reads } });
  if (via === null && memory) {
    memory.open(Number.POSITIVE_INFINITY);
    memory.waitForInvalidations = (told) => told(true);
  }
  const listening =
    memory && via !== null
      ? subscribeToInvalidation(via, memory, services.reads, { staleAfterMs: trustedMs, confirmMs })
      : null;
  if (memory && waits) await vi.waitUntil(() => memory.isOpen, { timeout: 60_000 });
  return {
    app,
    services,
    cache: memory,
    statements: () => count,
    onRows: (next) => {
      work = next;
    },
    async close() {
      await listening?.stop();
      await app.close();
      await services.close();
    },
  };
}
