import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside the built package lies its copy of the contract; the sources read the project's own. */
const PLACES = ['./openapi.yaml', '../../openapi.yaml'];

/** The file of the contract that the mock answers by. */
export function contractPath(): string {
  const paths = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`The package is not whole: ${paths[0]} is missing. Install it again.`);
  return found;
}
