import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

/** Command line built from the current sources. */
export interface BuiltCommandLine {
  /** Path of the program. */
  readonly file: string;
  remove(): Promise<void>;
}

const sdk = fileURLToPath(new URL('..', import.meta.url));

/** Builds the command line in a temporary folder with the layout of the package, so that starting it needs no compilation. */
export async function buildCommandLine(): Promise<BuiltCommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-cli-'));
  await build({
    entry: { cli: join(sdk, 'cli', 'main.ts') },
    config: false,
    cwd: sdk,
    outDir: join(folder, 'dist'),
    format: 'esm',
    platform: 'node',
    fixedExtension: true,
    // Bundle all dependencies, because the temporary folder has no node_modules.
    deps: { alwaysBundle: [/./] },
    dts: false,
    clean: false,
    logLevel: 'silent',
  });
  await cp(join(sdk, 'package.json'), join(folder, 'package.json'));
  return {
    file: join(folder, 'dist', 'cli.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
