// Bundles the compiled server into few files: `node bundle-server.mjs`, after the compiler. Node would need a second to find
// eight hundred modules one by one. Modules that are loaded on demand stay in separate files, and dependencies are not bundled.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPILED = new URL('../dist/', import.meta.url);
/**
 * Entry files, each with the folder of its bundle. The bundle is at the same depth in the package as the compiled modules,
 * so that relative paths resolve from both. The programs are bundled separately, because code that they share would become
 * many small files.
 */
const PROGRAMS = { 'main.js': new URL('server/', COMPILED), 'cli.js': new URL('command-line/', COMPILED) };

/** File that is written last, so that an interrupted build is done again. */
const DONE = '.done';

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
/**
 * Files whose change makes a bundle outdated. The compiler writes `.tsbuildinfo` again whenever the code has changed.
 */
const sources = [new URL('.tsbuildinfo', COMPILED), new URL(import.meta.url)];
const isOutdated = ([, folder]) =>
  sources.some((file) => changedAt(file) >= changedAt(new URL(DONE, folder)));

const outdated = Object.entries(PROGRAMS).filter(isOutdated);
if (outdated.length > 0) {
  const { build } = await import('tsdown');
  await Promise.all(outdated.map((program) => bundle(build, program)));
}

async function bundle(build, [entry, folder]) {
  const [{ chunks }] = await build({
    config: false,
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    entry: fileURLToPath(new URL(entry, COMPILED)),
    outDir: fileURLToPath(folder),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    fixedExtension: false,
    dts: false,
    // A running server may still load files that this build is about to replace.
    clean: false,
    outputOptions: { chunkFileNames: '[name].js', minifyInternalExports: false },
    checks: { pluginTimings: false },
    logLevel: 'warn',
  });
  const made = new Set(chunks.map(({ fileName }) => fileName));
  for (const file of readdirSync(folder).filter((each) => !made.has(each))) rmSync(new URL(file, folder));
  writeFileSync(new URL(DONE, folder), '');
}
