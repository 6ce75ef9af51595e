import { fileURLToPath } from 'node:url';

// src/directory/import and dist/directory/import are equally deep in the package.
const FOLDER = new URL('../../sample/', import.meta.url);

/** The paths of the sample that comes with the server: real listings, whose sources its README names, and example accounts. */
export function sampleFiles(): string[] {
  return ['listings', 'creators', 'artifacts', 'relations', 'accounts'].map((name) =>
    fileURLToPath(new URL(`${name}.ndjson`, FOLDER)),
  );
}
