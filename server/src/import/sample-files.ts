import { fileURLToPath } from 'node:url';

// src/directory/import and dist/directory/import are equally deep in the package.
const FOLDER = new URL('../../sample/', import.meta.url);

/** The paths of the sample listings that come with the server; its README there names their sources and licences. */
export function sampleFiles(): string[] {
  return ['listings', 'creators', 'artifacts', 'relations'].map((name) =>
    fileURLToPath(new URL(`${name}.ndjson`, FOLDER)),
  );
}
