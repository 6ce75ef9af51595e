import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { cloneDatabase } from '../clone-database.ts';
import { startSharedServer } from '../global-setup.ts';
import { outcomeOf, replayStatements, type SentStatement } from './replay-statements.ts';
import { USES } from './use-everything.ts';

/** Matches statements that only read; each is recorded once, because repeating it tests nothing more. */
const READS = /^\s*SELECT(?![\s\S]*FOR (UPDATE|SHARE|NO KEY))/i;
/** Matches queries that the driver's own library sends to PostgreSQL. */
const OF_THE_LIBRARY = /\bpg_type\b/;

/** Records the statements that this version of the server sends to its database, and writes them to a file. */
async function main(file: string): Promise<void> {
  const server = await startSharedServer();
  try {
    const databases: SentStatement[][] = [];
    for (const use of USES) databases.push(await repeatable(server, await record(server, use)));
    await writeFile(file, packed(databases));
    const sent = databases.flat();
    const unsure = sent.filter(({ outcome }) => outcome === null).length;
    process.stdout.write(`${sent.length} statements, ${unsure} of them with another outcome each time\n`);
  } finally {
    await server.stop();
  }
}

type Server = Awaited<ReturnType<typeof startSharedServer>>;

/** Replays recorded statements on a new database, and sets an outcome to null if the replay had another one. */
async function repeatable(server: Server, recorded: readonly SentStatement[]): Promise<SentStatement[]> {
  const again = await cloneDatabase(server.url, server.template);
  const outcomes = await replayStatements(again.url, recorded);
  await again.close();
  return recorded.map((each, n) => (each.outcome === outcomes[n] ? each : { ...each, outcome: null }));
}

async function record({ url, template }: Server, use: (typeof USES)[number]): Promise<SentStatement[]> {
  const test = await cloneDatabase(url, template);
  const sent: SentStatement[] = [];
  const read = new Set<string>();
  const sessions = new Map<pg.Client, number>();
  const send = pg.Client.prototype.query as (...call: unknown[]) => unknown;
  const note = (client: pg.Client, text: string, values: unknown[], answer: Promise<never>) => {
    if (OF_THE_LIBRARY.test(text) || read.has(text)) return;
    if (READS.test(text)) read.add(text);
    if (!sessions.has(client)) sessions.set(client, sessions.size);
    const place = sent.length;
    const one = { session: sessions.get(client) ?? 0, text, values: values.map(plain), outcome: null };
    sent.push(one);
    void outcomeOf(answer).then((outcome) => {
      sent[place] = { ...one, outcome };
    });
  };
  pg.Client.prototype.query = function tapped(this: pg.Client, ...call: unknown[]) {
    const [first] = call as [string | { text?: string; values?: unknown[]; submit?: unknown }];
    const text = typeof first === 'string' ? first : first.text;
    if (!text || (typeof first === 'object' && typeof first.submit === 'function'))
      return send.apply(this, call);
    const values =
      (Array.isArray(call[1]) ? call[1] : typeof first === 'object' ? first.values : undefined) ?? [];
    const answer = call.at(-1);
    if (typeof answer !== 'function') {
      const promise = send.apply(this, call) as Promise<never>;
      note(this, text, values, promise);
      return promise;
    }
    note(
      this,
      text,
      values,
      new Promise((resolve, reject) => {
        call[call.length - 1] = (error: unknown, result: never) => {
          error ? reject(error) : resolve(result);
          answer(error, result);
        };
      }),
    );
    return send.apply(this, call);
  } as typeof pg.Client.prototype.query;
  try {
    await use(test);
  } finally {
    pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
    await test.close();
  }
  return sent;
}

/** Converts a value to the text that the driver sends. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map((each) => JSON.stringify(plain(each))).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function packed(databases: readonly SentStatement[][]): Buffer {
  const texts = [...new Set(databases.flat().map(({ text }) => text))];
  const rows = databases.map((sent) =>
    sent.map(({ session, text, values, outcome }) => [session, texts.indexOf(text), values, outcome]),
  );
  return gzipSync(JSON.stringify({ texts, databases: rows }), { level: 9 });
}

await main(process.argv[2] ?? 'release.json.gz');
