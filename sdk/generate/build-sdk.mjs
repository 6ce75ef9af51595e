// Builds the changed parts of the SDK: `node build-sdk.mjs`, in the folder of the SDK. The bundler takes ten seconds and does not
// detect that nothing has changed. This program compares hashes of contents instead of file times, so that it rebuilds if an
// output file is missing, but not because files were copied or checked out again.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that all builds depend on: their options, and the versions of the packages that they bundle. */
const OPTIONS = [
  'package.json',
  'tsconfig.json',
  'tsdown.config.ts',
  '../tsconfig.json',
  '../package-lock.json',
];
/** Sources of the library, and of the command line, which contains the mock and the server parts that it uses. */
const LIBRARY = [...OPTIONS, 'src'];
const COMMAND_LINE = ['cli', 'check', 'mock', '../openapi.yaml', '../server/src'];
/** Holds the hashes of the last complete build. */
const BUILT = 'dist/.built';

const library = hashOf(LIBRARY);
const commandLine = hashOf(COMMAND_LINE);
const [builtLibrary, builtCommandLine, builtFiles] = readBuilt();
const isWhole = builtFiles !== undefined && builtFiles === hashOf(['dist']);

if (!isWhole || library !== builtLibrary || commandLine !== builtCommandLine) {
  const { build } = await import('tsdown');
  await build(isWhole && library === builtLibrary ? { filter: 'command-line' } : {});
  mkdirSync('dist', { recursive: true });
  writeFileSync(BUILT, [library, commandLine, hashOf(['dist'])].join('\n'));
}

function readBuilt() {
  return statSync(BUILT, { throwIfNoEntry: false }) ? readFileSync(BUILT, 'utf8').split('\n') : [];
}

/** Returns a hash of the names and contents of files, and of all files in folders. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Lists all files except tests, the stored hashes, and the output of the compiler. */
function filesIn(path) {
  if (/\.test(-d)?\.tsx?$/.test(path) || path === BUILT || path === join('dist', 'types')) return [];
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
