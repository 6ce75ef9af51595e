import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Path of the ES module of openapi-fetch, the SDK's only dependency. */
export const OPENAPI_FETCH = join(dirname(require.resolve('openapi-fetch')), 'index.mjs');

/** Returns the static and dynamic imports of a module, without those in comments. */
export function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const found = code.matchAll(
    /^(?:import|export)\b[^"'\n]*["']([^"']+)["']|\b(?:import|require)\(["']([^"']+)["']\)/gm,
  );
  return [...found].map(([, fixed, called]) => fixed ?? called ?? '');
}

/** Returns the file of a built entry point, and the files of the package that it imports, directly or indirectly. */
export function modulesOf(entry: string): string[] {
  const found = [entry];
  for (const name of found) {
    const ours = importsOf(join(DIST, name)).filter((imported) => imported.startsWith('./'));
    for (const imported of ours.map((path) => path.slice(2)))
      if (!found.includes(imported)) found.push(imported);
  }
  return found;
}
