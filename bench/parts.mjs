import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programOutput } from './child.mjs';
import { whole } from './figures.ts';
import { atMost } from './table.ts';

const MOST_FIRST_BYTE_MS = 50;
const MOST_BYTES_A_CALL = 700;
const MOST_IMPORT_RATIO = 3;
const MOST_IMPORT_MB = 400;
const MOST_ADVISORIES_SECONDS = 60;
const MOST_LOOKUP_MS = 5;

/** All parts of the benchmark: name, file, and the function that runs the file and returns the part's lines of the table. */
const FILES = [
  part('sdk', './sdk-overhead.mjs', (file) => measureIn(file)),
  part('check', './check.mjs', (file) => measureIn(file)),
  part('pages', './first-byte.mjs', firstByteLines),
  part('reads', './reads.mjs', (file) => measureIn(file)),
  part('freshness', './freshness.mjs', (file) => measureIn(file)),
  part('start', './start.mjs', (file) => measureIn(file)),
  part('metered', './metered.mjs', (file) => measureIn(file)),
  part('overload', './overload.mjs', (file) => measureIn(file)),
  part('bytes', './bytes-per-call.mjs', bytesLines),
  part('memory', './memory.mjs', (file) => measureIn(file)),
  part('scale', './scale.mjs', (file) => measureIn(file)),
  part('search', './search.mjs', (file) => measureIn(file)),
  part('import', './import.mjs', importLines),
  part('advisories', './advisories.mjs', advisoriesLines),
  part('mechanisms', './mechanisms.mjs', (file) => measureIn(file)),
];

/** Parts whose files exist, in the order in which they run. */
export const PARTS = FILES.filter(({ file }) => existsSync(file));

function part(name, path, linesOf) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return { name, file, measure: () => linesOf(file) };
}

async function measureIn(file) {
  return (await import(file)).measure();
}

/** Runs the program that measures first bytes, in its own process, and returns a line for the slowest kind of page. */
async function firstByteLines(file) {
  const output = await programOutput(file);
  const slowest = Math.max(...[...output.matchAll(/95% within ([\d.]+)/g)].map(([, ms]) => Number(ms)));
  if (!Number.isFinite(slowest)) throw new Error(`${file} told no times: ${output}`);
  return [
    {
      work: 'first byte of a page, 95% of the slowest kind',
      against: '',
      measured: `${slowest} ms`,
      target: `≤ ${MOST_FIRST_BYTE_MS} ms`,
      met: slowest <= MOST_FIRST_BYTE_MS,
    },
  ];
}

/** Runs the program that measures bytes per call, on a database that no other part has written to, and returns its line. */
async function bytesLines(file) {
  const output = await programOutput(file, { BENCH_FOLDER: '' });
  const bytes = Number(/(\d+) +bytes per settled call/.exec(output)?.[1] ?? Number.NaN);
  if (Number.isNaN(bytes)) throw new Error(`${file} told no bytes: ${output}`);
  return [
    {
      work: 'bytes per settled call, with indexes',
      against: '',
      measured: whole(bytes),
      target: `≤ ${MOST_BYTES_A_CALL}`,
      met: bytes <= MOST_BYTES_A_CALL,
    },
  ];
}

async function importLines(file) {
  const { importBench } = await import(file);
  const unit = (seconds) => `${seconds.toFixed(1)} s`;
  return (await importBench()).flatMap(({ size, seconds, copySeconds, memoryMb }) => {
    const work = `import of ${size === 0 ? 'all listings' : `${whole(size)} listings`} with scores`;
    const compared = { work, against: 'COPY of its rows', one: seconds, other: copySeconds, unit };
    return [
      atMost(compared, MOST_IMPORT_RATIO),
      {
        work: `${work}, memory`,
        against: '',
        measured: `${whole(memoryMb)} MB`,
        target: `< ${MOST_IMPORT_MB} MB`,
        met: memoryMb < MOST_IMPORT_MB,
      },
    ];
  });
}

async function advisoriesLines(file) {
  const { advisoriesBench } = await import(file);
  const { records, first, again, medianMs, slowMs } = await advisoriesBench();
  const seconds = (work, taken) => ({
    work: `${work} of ${whole(records)} advisories`,
    against: '',
    measured: `${taken.toFixed(1)} s`,
    target: `≤ ${MOST_ADVISORIES_SECONDS} s`,
    met: taken <= MOST_ADVISORIES_SECONDS,
  });
  return [
    seconds('import', first),
    seconds('second import', again),
    {
      work: `look-up of 100 packages among ${whole(records)} advisories, median`,
      against: '',
      measured: `${medianMs.toFixed(1)} ms (95% within ${slowMs.toFixed(1)} ms)`,
      target: `≤ ${MOST_LOOKUP_MS} ms`,
      met: medianMs <= MOST_LOOKUP_MS,
    },
  ];
}
