import { fileURLToPath } from 'node:url';

// The built server lies as deep in the package as src/import.
const FOLDER = new URL('../../sample/', import.meta.url);

/** The paths of the sample that comes with the server: real listings, whose sources its README names, and example accounts. */
export function sampleFiles(): string[] {
  return ['listings', 'creators', 'artifacts', 'relations', 'accounts'].map((name) =>
    fileURLToPath(new URL(`${name}.ndjson`, FOLDER)),
  );
}
