import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Rolldown } from 'tsdown';
import { parse } from 'yaml';
import { serializeContract } from '../server/src/platform/http/contract/flatten-contract.ts';

const CONTRACT = '../openapi.yaml';

/**
 * Fixes the default import of openapi-fetch in the CommonJS build. This package is of type `module`, for which the bundler
 * would use the whole module as the default export.
 */
const requiredDefault: Rolldown.Plugin = {
  name: 'required-default',
  renderChunk(code, _chunk, { format }) {
    if (format !== 'cjs') return null;
    // Line numbers stay the same, so the source map stays valid.
    return { code: code.replace('__toESM(openapi_fetch, 1)', '__toESM(openapi_fetch)'), map: null };
  },
};

/** Removes the sourceMappingURL of declarations, because the package doesn't contain their maps. */
const dropMapsOfTypes = {
  'build:done': ({ chunks }: { chunks: readonly { outDir: string; fileName: string }[] }) => {
    for (const { outDir, fileName } of chunks.filter((each) => /\.d\.[cm]ts$/.test(each.fileName))) {
      const path = join(outDir, fileName);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
    }
  },
};

/** Emits the contract as JSON, as the server sends it at `/openapi.json`. */
const jsonContract: Rolldown.Plugin = {
  name: 'json-contract',
  generateBundle() {
    const source = serializeContract(parse(readFileSync(CONTRACT, 'utf8')));
    this.emitFile({ type: 'asset', fileName: 'openapi.json', source });
  },
};

/** Emits the licences of the bundled packages, which require it. */
const thirdPartyLicenses: Rolldown.Plugin = {
  name: 'third-party-licenses',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const folders = modules.map((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '');
    const texts = [...new Set(folders)].filter(Boolean).sort().map(licenseOf);
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-LICENSES.txt',
      source: texts.join(`\n${'-'.repeat(80)}\n\n`),
    });
  },
};

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^(un)?licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
}

/**
 * Library as ESM and CommonJS with types. Code that its entry points share is a separate chunk, so that they have the
 * same error classes. `openapi-fetch` stays external.
 */
export const library = defineConfig({
  entry: ['src/index.ts', 'src/directory.ts', 'src/verify.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: true,
  sourcemap: true,
  clean: ['dist/*.{mjs,cjs,mts,cts,map}'],
  plugins: [requiredDefault],
  hooks: dropMapsOfTypes,
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** Optional entry points, built separately so that neither contains the other; `msw` and `zod` stay external. */
const optional = Object.entries({ testing: 'src/testing/index.ts', zod: 'src/validators.ts' }).map(
  ([name, file]) =>
    defineConfig({
      entry: { [name]: file },
      format: ['esm', 'cjs'],
      platform: 'neutral',
      target: 'es2022',
      dts: true,
      fixedExtension: true,
      sourcemap: true,
      clean: false,
      hooks: dropMapsOfTypes,
      checks: { pluginTimings: false },
      logLevel: 'warn',
    }),
);

/** OpenAPI schemas, which the package that builds the mock's routes reads as files. */
const OPENAPI_SCHEMAS = '../node_modules/@seriousme/openapi-schema-validator/schemas';

/**
 * Command line for Node, with all project code bundled, and the contract of its mock. The mock is a separate chunk with the
 * server's HTTP layer, which only its command loads.
 */
const commandLine = defineConfig({
  name: 'command-line',
  entry: { cli: 'cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  fixedExtension: true,
  // Bundles undici and the parsers of lock files, so that the SDK doesn't depend on them. undici is a separate chunk, loaded
  // only with a proxy.
  deps: { alwaysBundle: ['undici', 'yaml', 'smol-toml'] },
  clean: false,
  copy: [CONTRACT, OPENAPI_SCHEMAS, 'check/policy.schema.json'],
  plugins: [jsonContract, thirdPartyLicenses],
  // Names without a hash, so that a build overwrites the files of the build before it.
  outputOptions: { chunkFileNames: '[name].mjs' },
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** Builds of the published package. */
export default [library, ...optional, commandLine].flat();
