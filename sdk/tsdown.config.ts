import { defineConfig, type Rolldown } from 'tsdown';

const AS_NODE_IMPORTS_IT = 'openapi_fetch = __toESM(openapi_fetch, 1);';
const AS_ITS_MARK_SAYS = 'openapi_fetch = __toESM(openapi_fetch);';

/**
 * Reads the default export of openapi-fetch's CommonJS file where it is: in `exports.default`, as its `__esModule` mark
 * says. The bundler takes all of `exports` for it, as Node does when an ES module imports CommonJS.
 */
const markedDefaultExport: Rolldown.Plugin = {
  name: 'marked-default-export',
  renderChunk(code, chunk, { format }) {
    if (format !== 'cjs' || !chunk.imports.includes('openapi-fetch')) return null;
    if (!code.includes(AS_NODE_IMPORTS_IT))
      throw new Error('openapi-fetch is imported in a new way: look here again');
    return code.replace(AS_NODE_IMPORTS_IT, AS_ITS_MARK_SAYS);
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
  plugins: [markedDefaultExport],
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

/** The bin, for Node alone, with all of ours inside; beside it the contract that its mock answers by. */
const commandLine = defineConfig({
  name: 'command-line',
  entry: { cli: 'cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  fixedExtension: true,
  clean: false,
  copy: '../openapi.yaml',
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** The package that is published. */
export default [library, ...optional, commandLine].flat();
