import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

/** The command line, built from the sources as they are now. */
export interface BuiltCommandLine {
  /** What Node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

const sdk = fileURLToPath(new URL('..', import.meta.url));

/** Builds the command line in a folder of its own, laid out as the package is. Starting it then costs no compilation. */
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
    // There is no node_modules beside it.
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
