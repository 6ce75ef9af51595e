// Measures an import of OSV records, a second import of the same records, and a look-up of the advisories of 100 packages.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgePackages } from '../server/src/catalog/advisories/judge-packages.ts';
import { importAnyFiles } from '../server/src/intake/advisories/import-any-files.ts';
import { connect } from '../server/src/platform/database/connect.ts';
import { migrateUp } from '../server/src/platform/database/migrate.ts';
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres/embedded-postgres.ts';

const RECORDS = Number(process.env.ADVISORIES ?? 250_000);
/** Sample of OSV records, one per line; the imported records are copies of it. */
const SAMPLE =
  process.env.OSV_FILE ?? new URL('../server/testing/advisories/osv-sample.ndjson', import.meta.url);
const PACKAGES = 100;
const LOOKUPS = 200;

/** Measures both imports in seconds, and the median and 95th percentile of the look-ups in milliseconds. */
export async function advisoriesBench() {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
  // As root, the embedded database runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const postgres = await openEmbeddedPostgres(join(folder, 'data'));
  try {
    await migrateUp(postgres.url);
    const database = connect(postgres.url, { statementTimeoutMs: 3_600_000 });
    try {
      const file = await writeCopies(join(folder, 'osv.ndjson'));
      const importSeconds = () =>
        secondsOf(() =>
          importAnyFiles(database, null, [file.path], {
            rejectsPath: join(folder, 'rejects.ndjson'),
            output: { write: () => true },
          }),
        );
      const first = await importSeconds();
      const again = await importSeconds();
      await database.query('ANALYZE');
      return { records: RECORDS, first, again, ...(await lookUp(database, file.packages)) };
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes copies of the sample, each with a unique id and package. Returns all packages of the file. */
async function writeCopies(path) {
  const lines = (await readFile(SAMPLE, 'utf8')).trimEnd().split('\n');
  const out = createWriteStream(path);
  const packages = [];
  for (let made = 0; made < RECORDS; made += 1) {
    const record = JSON.parse(lines[made % lines.length]);
    record.id = `${record.id}-${made}`;
    record.aliases = (record.aliases ?? []).map((alias) => `${alias}-${made}`);
    for (const { package: named } of record.affected) {
      named.name = `${named.name}-${made}`;
      packages.push({ ecosystem: named.ecosystem === 'npm' ? 'npm' : 'pypi', name: named.name });
    }
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return { path, packages };
}

async function secondsOf(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** Looks 100 packages up at a time, half of them without an advisory. */
async function lookUp(database, packages) {
  const times = [];
  for (let round = 0; round < LOOKUPS; round += 1) {
    const asked = Array.from({ length: PACKAGES }, (_, index) => {
      const { ecosystem, name } = packages[(round * 7_919 + index * 104_729) % packages.length];
      return { ecosystem, name: index % 2 === 0 ? name : `${name}-absent`, version: '1.0.0' };
    });
    const startedAt = performance.now();
    await judgePackages(database, asked);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { medianMs: times[LOOKUPS / 2], slowMs: times[Math.floor(LOOKUPS * 0.95)] };
}
