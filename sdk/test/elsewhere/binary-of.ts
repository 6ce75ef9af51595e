import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Where a runtime's binary lies within the package that npm chose for this machine. */
const BINARIES = { deno: 'deno', bun: 'bin/bun', workerd: 'bin/workerd' } as const;

/** Where Bun's install script, if it was allowed to run, has moved the binary within the package `bun`. */
const MOVED_BUN = 'bin/bun.exe';

export const CHROMIUM = '/usr/bin/chromium';

/** Ends a test without a verdict, as vitest's `skip` does. */
export type Skip = (reason: string) => never;

/**
 * The binary of a runtime that npm installed for this machine's system and processor, without a launcher or an install
 * script. Skips the test on a machine that has none, but never in the gate.
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
      // Made for another machine, and not installed here.
    }
  }
  // Without its install script there is only a stand-in here, that says so.
  const moved = join(dirname(require.resolve(launcher)), MOVED_BUN);
  if (runtime === 'bun' && existsSync(moved)) return moved;
  return missing(runtime, skip);
}

/** Skips the test on a machine without Chromium, but never in the gate. */
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

/** Ends a test that needs what is not installed here; in the gate it fails. */
export function missing(tool: string, skip: Skip): never {
  if (process.env.CI) throw new Error(`${tool} is missing: the gate needs it`);
  return skip(`no ${tool} here: \`npm run install:long\` brings what npm has`);
}
