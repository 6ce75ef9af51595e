import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/** A statement as a release of the server sent it, and what it came to. */
export interface SentStatement {
  /** Which session sent it, numbered as they opened. */
  readonly session: number;
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** How many rows it answered or touched, or the code of its refusal; null where that is not the same each time. */
  readonly outcome: number | string | null;
}

/** What these say hangs on when PostgreSQL last looked at its tables, which it does at times of its own. */
const OF_STATISTICS = /\bpg_stats\b/;

/** What `record-release.ts` has written: statements of several databases, each empty at first. */
export function readRecording(bytes: Buffer): SentStatement[][] {
  const { texts, databases } = JSON.parse(gunzipSync(bytes).toString()) as {
    texts: string[];
    databases: [number, number, (string | null)[], SentStatement['outcome']][][];
  };
  return databases.map((sent) =>
    sent.map(([session, place, values, outcome]) => {
      const text = texts[place] ?? '';
      return { session, text, values, outcome: OF_STATISTICS.test(text) ? null : outcome };
    }),
  );
}

/** Sends statements again, one after the other, each on its own session; answers what each came to. */
export async function replayStatements(
  url: string,
  statements: readonly SentStatement[],
): Promise<(number | string)[]> {
  const sessions = new Map<number, pg.Client>();
  const outcomes: (number | string)[] = [];
  try {
    for (const { session, text, values } of statements) {
      const client = sessions.get(session) ?? (await openSession(url));
      sessions.set(session, client);
      outcomes.push(await outcomeOf(client.query(text, values as (string | null)[])));
    }
  } finally {
    await Promise.all([...sessions.values()].map((client) => client.end()));
  }
  return outcomes;
}

async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, statement_timeout: 30_000, lock_timeout: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Of several statements in one text, all rows. */
export function outcomeOf(answer: Promise<pg.QueryResult | pg.QueryResult[]>): Promise<number | string> {
  return answer.then(
    (result) => [result].flat().reduce((rows, { rowCount }) => rows + (rowCount ?? 0), 0),
    (error: pg.DatabaseError) => error.code ?? error.message,
  );
}
