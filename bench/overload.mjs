// Measures metered calls under overload: half to three times the peak rate, sent by another process at a fixed rate, with
// concurrent reads.
import { fileURLToPath } from 'node:url';
import { vacuum, withServerAndDatabase } from './bench-server.mjs';
import { startChild } from './child.mjs';
import { duration, percentile, rate } from './figures.ts';
import { agentIds } from './listed.mjs';
import { makePayers } from './make-payers.mjs';
import { tell } from './progress.mjs';
import { atLeast } from './table.ts';

const SECONDS = Number(process.env.SECONDS ?? 3);
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 200);
const SHARES = [0.5, 1, 1.5, 2, 3];
const READS_PER_SECOND = 20;
const LEAST_GOODPUT = 0.8;
const MOST_READ_MS = 1_000;
const MOST_CALL_MS = 3_000;
const MOST_RECOVERY_S = 10;
/** Settings with the default wait for metered calls, which other parts of the benchmark extend, and no rate limits. */
const SETTINGS = {
  METERED_WAIT_MS: '2200',
  RATE_LIMIT_READ_PER_MINUTE: '0',
  RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
};
const WINDOW_S = 0.25;
const FIRST_PER_SECOND = 200;
const STEP = 2;

const good = (answers) => answers.filter(({ status }) => status === 200);
const timesOf = (answers) => answers.map(({ took }) => took);
const p95 = (answers) => (answers.length > 0 ? percentile(timesOf(answers), 0.95) : Number.NaN);

function countBy(answers) {
  const counts = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');
}

/** Offers calls at this rate for SECONDS, with concurrent reads at a fixed rate. */
async function offer({ calls, reads, order }, perSecond) {
  const [one, other] = await Promise.all([
    calls.tell({ ...order, load: 'calls', perSecond, seconds: SECONDS }),
    reads.tell({ ...order, load: 'reads', perSecond: READS_PER_SECOND, seconds: SECONDS }),
  ]);
  const times = good(one.answers);
  const lastAt = Math.max(SECONDS, ...times.map(({ at, took }) => at + took / 1_000));
  const goodput = times.length / lastAt;
  tell(
    `offered ${rate(perSecond)}: ${rate(goodput)} settled, 95% within ${duration(p95(times))}; ${countBy(one.answers)}; ` +
      `reads: ${countBy(other.answers)}, 95% within ${duration(p95(other.answers))}`,
  );
  return { perSecond, goodput, calls: one.answers, reads: other.answers };
}

/** Finds the peak rate of settled calls, by offering more until less than two thirds are settled. */
async function findPeak(world) {
  let [perSecond, peak] = [FIRST_PER_SECOND, 0];
  for (;;) {
    const { goodput } = await offer(world, perSecond);
    peak = Math.max(peak, goodput);
    if (goodput < 0.67 * perSecond) return peak;
    perSecond *= STEP;
  }
}

/** Returns the seconds until the last call that was refused or took over twice the usual time, rounded up to a window. */
function recoveryOf(calls, usual) {
  const last = calls.findLast(({ status, took }) => status !== 200 || took > 2 * usual);
  return last === undefined ? 0 : Math.ceil(last.at / WINDOW_S) * WINDOW_S;
}

function said(work, measured, target, met) {
  return { work, against: '', measured, target, met };
}

function linesOf(curve, after) {
  const peak = Math.max(...curve.map(({ goodput }) => goodput));
  const [half] = curve;
  const most = curve.at(-1);
  const refused = most.calls.filter(({ status }) => status !== 200);
  const silent = refused.filter(({ status, says }) => !says || ![429, 503].includes(status)).length;
  const recovery = recoveryOf(after.calls, Math.max(p95(good(half.calls)), 50));
  const slowest = percentile(timesOf(good(most.calls)), 0.99);
  const reads = p95(most.reads);
  const failed = most.reads.filter(({ status }) => status !== 200).length;
  return [
    ...curve.map(({ perSecond, goodput }) =>
      said(`metered calls, ${rate(perSecond)} offered`, `${rate(goodput)} settled`, '', true),
    ),
    atLeast(
      {
        work: 'settled at three times the peak',
        against: 'peak',
        one: most.goodput,
        other: peak,
        unit: rate,
      },
      LEAST_GOODPUT,
    ),
    said('refused without 429 or 503 and Retry-After', `${silent} of ${refused.length}`, '0', silent === 0),
    said(
      'settled calls at that load, 99%',
      duration(slowest),
      `≤ ${duration(MOST_CALL_MS)}`,
      slowest <= MOST_CALL_MS,
    ),
    said('reads at that load, 95%', duration(reads), `≤ ${duration(MOST_READ_MS)}`, reads <= MOST_READ_MS),
    said('reads at that load that failed', `${failed}`, '0', failed === 0),
    said('back to normal after it', `${recovery} s`, `≤ ${MOST_RECOVERY_S} s`, recovery <= MOST_RECOVERY_S),
  ];
}

/** Measures overload and returns the lines of its table. */
export function measure() {
  return withServerAndDatabase(SETTINGS, async (baseUrl, _url, database) => {
    const keys = await makePayers(database, ACCOUNTS);
    const subjects = await agentIds(baseUrl, 1_000);
    await vacuum(database);
    const order = { baseUrl, keys, subjects };
    const file = fileURLToPath(new URL('./open-load.mjs', import.meta.url));
    const [calls, reads] = [startChild(file), startChild(file)];
    try {
      const world = { calls, reads, order };
      // The first calls create each account's balance of the month and fill caches, so they are not measured.
      await offer(world, FIRST_PER_SECOND);
      const peak = await findPeak(world);
      tell(`the peak: ${rate(peak)}`);
      const curve = [];
      for (const share of SHARES) curve.push(await offer(world, share * peak));
      const after = await offer(world, 0.5 * peak);
      return linesOf(curve, after);
    } finally {
      await Promise.all([calls.stop(), reads.stop()]);
    }
  });
}
