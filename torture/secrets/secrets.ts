import { findFreePorts } from '../../ops/free-ports.ts';
import type { Database } from '../../server/src/platform/database/connect.ts';
import { fewerUnlessNightly } from '../../server/testing/nightly.ts';
import { type Experiment, mustBeNone, mustHold } from '../experiment.ts';
import { scoreAfter } from '../scoring-upstream.ts';
import { type Shown, showSecrets, tells } from './shown-secrets.ts';

const AT_ONCE = 4;

/** B11: a server that logs everything receives secrets. Its log, rows and responses are then searched for these secrets. */
export const secrets: Experiment = {
  id: 'B11',
  promise: 'no log, answer, metric, row or last words of a server hold a secret that it was shown',
  unit: 'accounts, each with four secrets',
  amount: { suite: fewerUnlessNightly(4, 12), long: 300 },
  async run(arena, accounts) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(0));
    const [port] = await findFreePorts(1);
    const own = { SCORING_TOKEN: `scoring-token-of-${arena.random.below(2 ** 31)}-that-is-long` };
    const talkative = { ...own, LOG_LEVEL: 'trace', METRICS_PORT: `${port}` };
    const server = await arena.server(url, upstream.url, talkative);

    const shown: Shown[] = [];
    const lane = async (first: number) => {
      for (let place = first; place < accounts; place += AT_ONCE) {
        shown.push(await showSecrets(server.baseUrl, database, place));
        arena.progress(shown.length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => lane(first)));

    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const failed = { ...own, PORT: 'no port', DATABASE_URL: url };
    const lastWords = await arena.server(url, upstream.url, failed).then(
      () => mustHold(false, 'a server starts with a port that is none'),
      (error: Error) => error.message,
    );
    const rows = await everyRow(database);
    await server.end('SIGTERM');
    const { stdout, stderr } = server.output();
    const lines = stderr.split('\n').filter((line) => line.includes('"route":')).length;
    mustHold(lines > shown.length * 20, `the log tells of ${lines} requests only`);

    const all = shown.flatMap((each) => each.secrets);
    const written = { log: stderr, stdout, metrics, lastWords: lastWords ?? '', rows };
    const found = Object.entries(written).flatMap(([where, text]) => {
      const isTold = (secret: string) => (where === 'rows' ? isKept(text, secret) : tells(text, secret));
      return [...all, own.SCORING_TOKEN].filter(isTold).map((secret) => `${where} holds ${secret}`);
    });
    mustBeNone([...found, ...shown.flatMap(toldInReplies)]);
    const letters = Object.values(written).reduce((sum, text) => sum + text.length, 0);
    const replies = shown.reduce((sum, each) => sum + each.replies.length, 0);
    return { accounts, secrets: all.length, replies, megabytesWritten: Math.round(letters / 1e6), found: 0 };
  },
};

/** Lists secrets found in replies. Only the response that creates a key may contain it. */
function toldInReplies({ secrets, issued, replies }: Shown): string[] {
  const [key = ''] = secrets;
  mustHold(tells(issued.text, key), 'a new key is not answered');
  return secrets.flatMap((secret) =>
    replies
      .filter(({ text }) => tells(text, secret))
      .map(({ status }) => `an answer with ${status} holds ${secret}`),
  );
}

/** Returns true if rows contain a secret as text or as bytes. Its digest does not count, because rows may store it. */
function isKept(rows: string, secret: string): boolean {
  return rows.includes(secret) || rows.includes(Buffer.from(secret).toString('hex'));
}

/** Reads every row of every table as text, like a dump. */
async function everyRow(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    for (const { row } of rows) texts.push(row);
  }
  return texts.join('\n');
}
