import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Paths of a runtime's binary within npm's package for this platform. */
const BINARIES = { deno: 'deno', bun: 'bin/bun', workerd: 'bin/workerd' } as const;

/** Path to which Bun's install script moves the binary, if it was allowed to run. */
const MOVED_BUN = 'bin/bun.exe';

export const CHROMIUM = '/usr/bin/chromium';

/** Skips a test, like vitest's `skip`. */
export type Skip = (reason: string) => never;

/**
 * Returns the path of the runtime's binary that npm installed for this platform, without launcher or install script. If
 * there is none, skips the test; in CI, throws.
 */
export function binaryOf(runtime: keyof typeof BINARIES, skip: Skip): string {
  const launcher = `${runtime}/package.json`;
  if (!isInstalled(launcher)) return missing(runtime, skip);
  const { optionalDependencies } = require(launcher) as { optionalDependencies: object };
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const binary = join(dirname(require.resolve(`${name}/package.json`)), BINARIES[runtime]);
      if (existsSync(binary)) return binary;
    } catch {
      // This optional dependency is for another platform, so it is not installed here.
    }
  }
  // Bun's install script moves the binary to this file. If the script did not run, the file is only a placeholder.
  const moved = join(dirname(require.resolve(launcher)), MOVED_BUN);
  if (runtime === 'bun' && existsSync(moved)) return moved;
  return missing(runtime, skip);
}

/** Skips the test if Chromium is not installed; in CI, the test fails instead. */
export function needChromium(skip: Skip): void {
  if (!existsSync(CHROMIUM)) missing('chromium', skip);
}

function isInstalled(module: string): boolean {
  try {
    return require.resolve(module) !== '';
  } catch {
    return false;
  }
}

/** Skips a test whose tools are not installed; in CI it fails. */
export function missing(tool: string, skip: Skip): never {
  if (process.env.CI) throw new Error(`${tool} is missing: the gate needs it`);
  return skip(`no ${tool} here: \`npm run install:nightly\` brings what npm has`);
}
