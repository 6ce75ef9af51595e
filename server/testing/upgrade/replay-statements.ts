import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/** A statement as a release of the server sent it, with its outcome. */
export interface SentStatement {
  /** Session that sent the statement, numbered in the order of opening. */
  readonly session: number;
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Number of rows returned or affected, or the code of its error; null if a replay had another outcome. */
  readonly outcome: number | string | null;
}

/** Matches statements whose outcome depends on when PostgreSQL last analyzed its tables. */
const OF_STATISTICS = /\bpg_stats\b/;

/** Reads a recording of `record-release.ts`: the statements of several databases, each starting empty. */
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

/** Sends recorded statements one after the other, each on the session that it had; returns their outcomes. */
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

/** Returns the number of rows, summed over the statements of one text, or the code of the error. */
export function outcomeOf(answer: Promise<pg.QueryResult | pg.QueryResult[]>): Promise<number | string> {
  return answer.then(
    (result) => [result].flat().reduce((rows, { rowCount }) => rows + (rowCount ?? 0), 0),
    (error: pg.DatabaseError) => error.code ?? error.message,
  );
}
