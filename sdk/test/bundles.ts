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

/** Terser plugin. The cast is needed because its types describe a CommonJS module, but it is an ES module. */
const terser = terserPlugin as unknown as () => Plugin;

const SDK = fileURLToPath(new URL('..', import.meta.url));

/** Minified output files of a bundle. */
type Bundle = readonly string[];

/** Bundles a program for a browser with a typical configuration. */
export type Bundler = (program: string, into: string) => Promise<void>;

/** Installed bundlers; `elsewhere/webpack.ts` adds webpack. */
export const BUNDLERS = {
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
  rolldown: async (program, outDir) => {
    await tsdown({
      config: false,
      entry: [program],
      cwd: dirname(program),
      platform: 'browser',
      deps: { alwaysBundle: [/./] },
      outDir,
      minify: true,
      dts: false,
      clean: false,
      logLevel: 'silent',
    });
  },
  vite: async (program, outDir) => {
    await vite.build({
      configFile: false,
      logLevel: 'silent',
      root: dirname(program),
      build: { outDir, emptyOutDir: false, modulePreload: false, rolldownOptions: { input: program } },
    });
  },
} satisfies Readonly<Record<string, Bundler>>;

/** Builds the package from the current sources and installs it for programs in the folder. */
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

/** Bundles a program in a folder of `bundlingFolder` and returns the output. */
export async function bundled(folder: string, bundle: Bundler, code: string): Promise<Bundle> {
  const into = await mkdtemp(join(folder, 'bundle-'));
  const program = join(into, 'program.js');
  await writeFile(program, code);
  await bundle(program, join(into, 'out'));
  const files = await readdir(join(into, 'out'), { recursive: true, withFileTypes: true });
  const scripts = files.filter((file) => file.isFile() && /\.m?js$/.test(file.name));
  return Promise.all(scripts.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}

/** Returns the total size of a bundle's files in bytes, each compressed with gzip. */
export const compressed = (bundle: Bundle) =>
  bundle.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);

/** Creates a folder for bundles; `remove` deletes it. */
export async function bundlingFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bundles-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
