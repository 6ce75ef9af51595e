import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DIST, importsOf, modulesOf } from './elsewhere/published-modules.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the packages that modules import. */
const foreign = (...entries: string[]) => [
  ...new Set(
    entries
      .flatMap(modulesOf)
      .flatMap((name) => importsOf(join(DIST, name)))
      .filter((name) => !name.startsWith('./')),
  ),
];

describe('an optional entry point', () => {
  it('imports only its own peer dependency', () => {
    expect(foreign('zod.mjs', 'zod.cjs')).toEqual(['zod']);
    expect(foreign('testing.mjs', 'testing.cjs')).toEqual(['msw']);
    expect(foreign('index.mjs', 'index.cjs', 'directory.mjs', 'directory.cjs')).toEqual(['openapi-fetch']);
  });

  it.each([
    ['zod', 'typeof sdk.agentSchema.parse'],
    ['testing', 'typeof sdk.handlers()[0].run'],
  ])('%s is imported as an ES module and required from CommonJS', async (entry, what) => {
    const imported = `import * as sdk from '@trust-directory/sdk/${entry}'; console.log(${what});`;
    const required = `const sdk = require('@trust-directory/sdk/${entry}'); console.log(${what});`;

    const outputs = await Promise.all([
      run(process.execPath, ['--input-type=module', '--eval', imported], { cwd: ROOT }),
      run(process.execPath, ['--input-type=commonjs', '--eval', required], { cwd: ROOT }),
    ]);

    expect(outputs.map(({ stdout }) => stdout)).toEqual(['function\n', 'function\n']);
  });
});
