// Runs the named parts of the benchmark (by default all) and prints one table of their results.
import { fillFolder, withFolder } from './bench-server.mjs';
import { atInterruption, endAll } from './ending.mjs';
import { describeMachine } from './machine.mjs';
import { PARTS } from './parts.mjs';
import { note } from './progress.mjs';
import { drawTable } from './table.ts';

const lines = [];
let machine = '';

/** Returns the parts of these names, or all; ends the process with a sentence for `--help` and for an unknown name. */
function chosen(names) {
  const known = PARTS.map(({ name }) => name).join(', ');
  if (names.includes('--help')) {
    console.log(
      `npm run bench [-- PART…]: measures the named parts, or all of them. The parts are ${known}.`,
    );
    process.exit();
  }
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown) {
    console.error(`The bench has no part ${unknown}. It has ${known}.`);
    process.exit(2);
  }
  return PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function run({ name, measure }) {
  note(`${name} begins`);
  const startedAt = performance.now();
  try {
    lines.push(...(await measure()));
  } catch (error) {
    // A failed part does not discard the results of the others.
    note(`${name} failed: ${error.stack}`);
    process.exitCode = 1;
  }
  note(`${name} took ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

function print() {
  console.log(`${machine}\n\n${drawTable(lines)}`);
}

const parts = chosen(process.argv.slice(2));
atInterruption(print);
await withFolder(async (folder) => {
  note(`the parts share a database, which is made in ${folder}`);
  machine = await fillFolder(folder, undefined, describeMachine);
  process.env.BENCH_FOLDER = folder;
  for (const part of parts) await run(part);
});
await endAll();
print();
