import { readFileSync } from 'node:fs';
import { defineConfig, type Rolldown } from 'tsdown';
import { parse } from 'yaml';
import { writeJsonContract } from '../server/src/http/flatten-contract.ts';

const CONTRACT = '../openapi.yaml';

/**
 * Loads openapi-fetch by `require` from CommonJS, where some test runners can't `import()`. Its CommonJS file has the client
 * in `exports.default`, which is where the source looks for it.
 */
const requiredLater: Rolldown.Plugin = {
  name: 'required-later',
  renderChunk(code, _chunk, { format }) {
    if (format !== 'cjs') return null;
    return code.replace('import("openapi-fetch")', 'Promise.resolve(require("openapi-fetch"))');
  },
};

/** Lays the contract beside the build, as the server shows it at `/openapi.json`. */
const jsonContract: Rolldown.Plugin = {
  name: 'json-contract',
  generateBundle() {
    const source = writeJsonContract(parse(readFileSync(CONTRACT, 'utf8')));
    this.emitFile({ type: 'asset', fileName: 'openapi.json', source });
  },
};

/**
 * What programs import, as ESM and as CommonJS, each with its types. What the entry points share is a file of its own, so
 * that there is one class of each error. `openapi-fetch` stays outside.
 */
const library = defineConfig({
  entry: ['src/index.ts', 'src/directory.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: true,
  clean: ['dist/*.{mjs,cjs,mts,cts}'],
  plugins: [requiredLater],
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** What costs nothing unless it is imported, each built by itself: `msw` and `zod` stay outside, and out of each other. */
const optional = Object.entries({ testing: 'src/testing/index.ts', zod: 'src/validators.ts' }).map(
  ([name, file]) =>
    defineConfig({
      entry: { [name]: file },
      format: ['esm', 'cjs'],
      platform: 'neutral',
      target: 'es2022',
      dts: true,
      fixedExtension: true,
      clean: false,
      checks: { pluginTimings: false },
      logLevel: 'warn',
    }),
);

/** The bin, for Node alone, with all of ours inside; beside it the contract, by which its mock answers. */
const commandLine = defineConfig({
  name: 'command-line',
  entry: { cli: 'cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  fixedExtension: true,
  clean: false,
  copy: CONTRACT,
  plugins: [jsonContract],
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** The package that is published. */
export default [library, ...optional, commandLine].flat();
