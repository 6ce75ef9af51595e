import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The one dependency, as an ES module. */
export const OPENAPI_FETCH = join(dirname(require.resolve('openapi-fetch')), 'index.mjs');

/** What a module of the build imports, statically or not. Code in its comments doesn't count. */
export function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const found = code.matchAll(
    /^(?:import|export)\b[^"'\n]*["']([^"']+)["']|\b(?:import|require)\(["']([^"']+)["']\)/gm,
  );
  return [...found].map(([, fixed, called]) => fixed ?? called ?? '');
}

/** The file names of an entry of the built package and of everything of ours that it imports. */
export function modulesOf(entry: string): string[] {
  const found = [entry];
  for (const name of found) {
    const ours = importsOf(join(DIST, name)).filter((imported) => imported.startsWith('./'));
    for (const imported of ours.map((path) => path.slice(2)))
      if (!found.includes(imported)) found.push(imported);
  }
  return found;
}
