import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terserPlugin from '@rollup/plugin-terser';
import * as esbuild from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { build as tsdown } from 'tsdown';
import * as vite from 'vite';
import { library } from '../tsdown.config.ts';
import { MODULES } from './packed-package.ts';

/** Its types describe a CommonJS module, but it is an ES module. */
const terser = terserPlugin as unknown as () => Plugin;

const SDK = fileURLToPath(new URL('..', import.meta.url));

/** A program's bundle: the files that came out, minified. */
type Bundle = readonly string[];

/** Bundles a program, as its users would set the bundler up for a browser. */
export type Bundler = (program: string, into: string) => Promise<void>;

/** Bundlers that come with the project; `elsewhere/webpack.ts` is one more. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  esbuild: async (program, outdir) => {
    const format = 'esm';
    await esbuild.build({
      entryPoints: [program],
      bundle: true,
      minify: true,
      splitting: true,
      format,
      outdir,
    });
  },
  rollup: async (program, dir) => {
    const bundle = await rollup({
      input: program,
      plugins: [nodeResolve({ browser: true }), terser()],
    });
    await bundle.write({ dir, format: 'es' });
  },
  vite: async (program, outDir) => {
    await vite.build({
      configFile: false,
      logLevel: 'silent',
      root: dirname(program),
      build: { outDir, emptyOutDir: false, modulePreload: false, rolldownOptions: { input: program } },
    });
  },
};

/** Puts the package, built from the sources as they are now, where programs in the folder find it. */
export async function installBuild(folder: string): Promise<void> {
  const place = join(folder, 'node_modules', '@trust-directory', 'sdk');
  await mkdir(place, { recursive: true });
  await tsdown({
    ...library,
    cwd: SDK,
    config: false,
    dts: false,
    clean: false,
    outDir: join(place, 'dist'),
    logLevel: 'silent',
  });
  await writeFile(join(place, 'package.json'), await readFile(new URL('../package.json', import.meta.url)));
  await symlink(join(MODULES, 'openapi-fetch'), join(folder, 'node_modules', 'openapi-fetch'), 'dir');
}

/** What a bundler makes of a program in such a folder. */
export async function bundled(folder: string, bundle: Bundler, code: string): Promise<Bundle> {
  const into = await mkdtemp(join(folder, 'bundle-'));
  const program = join(into, 'program.js');
  await writeFile(program, code);
  await bundle(program, join(into, 'out'));
  const files = await readdir(join(into, 'out'), { recursive: true, withFileTypes: true });
  const scripts = files.filter((file) => file.isFile() && /\.m?js$/.test(file.name));
  return Promise.all(scripts.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}

/** Bytes of it, compressed. */
export const compressed = (bundle: Bundle) =>
  bundle.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);

/** A folder for the bundles, and a function that removes it. */
export async function bundlingFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bundles-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
