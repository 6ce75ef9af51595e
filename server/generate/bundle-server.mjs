// Puts the compiled server together in few files, `node bundle-server.mjs`, after the compiler: Node takes a second to find eight
// hundred modules one by one. What is loaded on demand stays in files of its own, and packages stay outside.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPILED = new URL('../dist/', import.meta.url);
/**
 * Entry files, each with the folder of its sources, which lies as deep in the package as the bundle, so that relative paths
 * resolve from both. Each is bundled separately, because shared code would become many small files.
 */
const PROGRAMS = { 'main.js': new URL('server/', COMPILED), 'cli.js': new URL('command-line/', COMPILED) };

/** Written last: a build that was cut short is done again. */
const DONE = '.done';

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
/** The compiler writes its notes anew whenever the code has changed. */
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
    // A server that runs may still load what another build puts in its place.
    clean: false,
    outputOptions: { chunkFileNames: '[name].js', minifyInternalExports: false },
    checks: { pluginTimings: false },
    logLevel: 'warn',
  });
  const made = new Set(chunks.map(({ fileName }) => fileName));
  for (const file of readdirSync(folder).filter((each) => !made.has(each))) rmSync(new URL(file, folder));
  writeFileSync(new URL(DONE, folder), '');
}
