// Compares single mechanisms below the HTTP layer with their simple alternatives, in turn, in one process on one database.
import { join } from 'node:path';
import { CompactSign, generateKeyPair } from 'jose';
import { QueryTypes } from 'sequelize';
import { batchRows } from '../server/src/platform/batching/batch-source.ts';
import { createBatchedRead } from '../server/src/platform/batching/batched-read.ts';
import { connect } from '../server/src/platform/database/connect.ts';
import { hashInputs } from '../server/src/scoring/score-inputs.ts';
import { provideToBase64 } from '../server/src/scoring/signing/score-signer.ts';
import { withDatabase, withFolder } from './bench-server.mjs';
import { duration } from './figures.ts';
import { inTurns } from './in-turns.mjs';
import { atMost } from './table.ts';

const CALLS = Number(process.env.CALLS ?? 500);
const TOGETHER = 64;
const MOST = 0.9;

const ONE = 'SELECT $1::int AS one';
/** Statement that takes longer to plan than to execute, like most reads of the directory. */
const JOINED = `SELECT c.relname, a.attname, t.typname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1 AND a.attnum = 1`;
const PG_CLASS = 1259;
const BATCHED = `SELECT c.n, p.relname FROM (${batchRows('oid int')}) c JOIN pg_class p ON p.oid = c.oid::oid`;

/** Sample facts, similar in size and in types of values to the stored facts of a repository. */
const FACTS = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [`fact_${n}`, n % 3 ? n * 100 : [`text ${n}`, true]]),
);

/** Content as long as that of a repository's signed score. */
const SIGNED = Buffer.from(JSON.stringify(FACTS).repeat(5));

export function measure() {
  return withFolder((folder) =>
    withDatabase(join(folder, 'data'), async (database, url) => {
      const unprepared = connect(url, { preparedStatements: false });
      try {
        return await compare({ database, unprepared });
      } finally {
        await unprepared.close();
      }
    }),
  );
}

async function compare({ database, unprepared }) {
  const { sequelize } = database;
  const readBatched = createBatchedRead({ sql: BATCHED });
  const asSequelize = () => sequelize.query(ONE, { bind: [1], type: QueryTypes.SELECT });
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const sign = () => new CompactSign(SIGNED).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
  let score = 0;
  const orders = {
    hashed: () => each(() => hashInputs({ subjectType: 'agent', facts: { ...FACTS } })),
    unhashed: () => each(() => hashInputs({ subjectType: 'agent', facts: { ...FACTS, score: score++ } })),
    signed: () => {
      provideToBase64();
      return each(sign);
    },
    slowlySigned: () => {
      delete Uint8Array.prototype.toBase64;
      return each(sign);
    },
    sent: () => each(() => database.query(ONE, [1])),
    sequelize: () => each(asSequelize),
    prepared: () => each(() => database.query(JOINED, [PG_CLASS])),
    unprepared: () => each(() => unprepared.query(JOINED, [PG_CLASS])),
    batched: () => together(() => readBatched(database, { oid: PG_CLASS })),
    single: () =>
      together(() => database.query('SELECT relname FROM pg_class WHERE oid = $1::int::oid', [PG_CLASS])),
  };
  const figure = await inTurns(null, orders);
  const line = (work, one, against, other, measured = 'ms') =>
    atMost(
      { work, against, one: figure(one, measured), other: figure(other, measured), unit: duration },
      MOST,
    );
  return [
    line('statement sent by sendStatement, CPU of Node', 'sent', 'by Sequelize', 'sequelize', 'cpu'),
    line('prepared statement of four tables', 'prepared', 'not prepared', 'unprepared'),
    line(`${TOGETHER} reads at once in batches`, 'batched', 'each by itself', 'single'),
    line('signature of a score, CPU of Node', 'signed', 'without toBase64', 'slowlySigned', 'cpu'),
    line('hash of known facts of a score', 'hashed', 'of new facts', 'unhashed'),
  ];
}

/** Repeats work one call at a time; returns milliseconds per call, elapsed and of this process's CPU. */
async function each(work) {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  for (let call = 0; call < CALLS; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (performance.now() - startedAt) / CALLS, cpu: (user + system) / 1_000 / CALLS };
}

/** Repeats rounds of concurrent calls; returns milliseconds per round. */
async function together(work) {
  const rounds = Math.ceil(CALLS / TOGETHER);
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: TOGETHER }, work));
  return { ms: (performance.now() - startedAt) / rounds };
}
