import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Connection } from '../../src/database/connect.ts';
import type { AnswerMemory } from '../../src/http/kept-answers/answer-memory.ts';
import { keepWhileHeard } from '../../src/http/kept-answers/keep-while-heard.ts';
import { createServices, type Services } from '../../src/services.ts';
import { createStandIn } from '../stand-ins/stand-in-backend.ts';

/** A server's parts over a database, as one process has them; several of them share nothing but the database. */
export interface ReadingProcess {
  readonly app: FastifyInstance;
  readonly services: Services;
  /** Null where it keeps nothing. */
  readonly memory: AnswerMemory | null;
  /** Statements that its public answers have sent so far. */
  statements(): number;
  /** What is done with the rows of such a statement before its answer goes on; nothing by default. */
  onRows(work: (sql: string) => Promise<void>): void;
  close(): Promise<void>;
}

interface ReadingOptions {
  /** False: it reads everything anew. */
  keeps?: boolean;
  /** Another way to hear of changes; null: it knows of its own writes alone. */
  via?: string | null;
  /** How long after what it last heard it sends what it keeps; however long that was, so that a loaded machine changes nothing. */
  trustedMs?: number | undefined;
  /** How long a request waits for what was committed before it to be heard; by default far longer than any machine needs. */
  confirmMs?: number | undefined;
  /** False: it is answered while it starts, before it hears of changes. */
  waits?: boolean;
  /** Replicas that it reads from too. */
  replicas?: readonly string[];
}

const PATIENT_MS = 30_000;

/** Opens one, ready to keep answers. */
export async function openReadingProcess(
  databaseUrl: string,
  {
    keeps = true,
    via = databaseUrl,
    trustedMs = Number.POSITIVE_INFINITY,
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
  const { memory } = services.answers;
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
    memory.hearAll = (told) => told(true);
  }
  const listening =
    memory && via !== null ? keepWhileHeard(via, memory, services.reads, { trustedMs, confirmMs }) : null;
  if (memory && waits) await vi.waitUntil(() => memory.isOpen, { timeout: 60_000 });
  return {
    app,
    services,
    memory,
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
