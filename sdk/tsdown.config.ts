import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Rolldown } from 'tsdown';
import { parse } from 'yaml';
import { writeJsonContract } from '../server/src/http/contract/flatten-contract.ts';

const CONTRACT = '../openapi.yaml';

/**
 * In CommonJS, takes openapi-fetch's default export from where its CommonJS file has it. This package is of type `module`,
 * for which the bundler would take the whole of `require` instead.
 */
const requiredDefault: Rolldown.Plugin = {
  name: 'required-default',
  renderChunk(code, _chunk, { format }) {
    if (format !== 'cjs') return null;
    // No line moves, so the source map stays as it is.
    return { code: code.replace('__toESM(openapi_fetch, 1)', '__toESM(openapi_fetch)'), map: null };
  },
};

/** Takes the line out of declarations that names a map of theirs: there is none, as the sources aren't in the package. */
const dropMapsOfTypes = {
  'build:done': ({ chunks }: { chunks: readonly { outDir: string; fileName: string }[] }) => {
    for (const { outDir, fileName } of chunks.filter((each) => /\.d\.[cm]ts$/.test(each.fileName))) {
      const path = join(outDir, fileName);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
    }
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

/** Writes the licences of the packages that a bundle holds into a file beside it, as they ask for. */
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
 * What programs import, as ESM and as CommonJS, each with its types. What the entry points share is a file of its own, so
 * that there is one class of each error. `openapi-fetch` stays outside.
 */
export const library = defineConfig({
  entry: ['src/index.ts', 'src/directory.ts'],
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

/** What costs nothing unless it is imported, each built alone, so that neither holds the other: `msw` and `zod` stay outside. */
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

/** What a description of an API is checked against, read as a file by the package that makes the mock's routes. */
const OPENAPI_SCHEMAS = '../node_modules/@seriousme/openapi-schema-validator/schemas';

/**
 * The bin, for Node only, with all our code inside; beside it the contract that its mock answers by. The mock is a file of
 * its own, which only its command loads: in it is the server's HTTP layer, with what that is made of.
 */
const commandLine = defineConfig({
  name: 'command-line',
  entry: { cli: 'cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  fixedExtension: true,
  // Built in, so that installing the SDK doesn't install an agent for proxies. It is a file of its own, loaded if there is a proxy.
  deps: { alwaysBundle: ['undici'] },
  clean: false,
  copy: [CONTRACT, OPENAPI_SCHEMAS],
  plugins: [jsonContract, thirdPartyLicenses],
  // Without a hash, so that one build replaces the files of another.
  outputOptions: { chunkFileNames: '[name].mjs' },
  checks: { pluginTimings: false },
  logLevel: 'warn',
});

/** The package that is published. */
export default [library, ...optional, commandLine].flat();
