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
    if (format !== 'cjs' || !chunk.fileName.endsWith('.cjs')) return null;
    if (!code.includes(AS_NODE_IMPORTS_IT))
      throw new Error('openapi-fetch is imported in a new way: look here again');
    return code.replace(AS_NODE_IMPORTS_IT, AS_ITS_MARK_SAYS);
  },
};

/** The package that is published: one ESM and one CommonJS file, each with its types. `openapi-fetch` stays outside. */
export default defineConfig({
  entry: ['src/index.ts'],
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
