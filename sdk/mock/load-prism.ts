import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Modules of Prism that the mock uses. */
export interface PrismModules {
  readonly server: typeof import('@stoplight/prism-http-server');
  readonly http: typeof import('@stoplight/prism-http');
  readonly core: typeof import('@stoplight/prism-core');
}

/** Thrown if Prism is missing or has an unsupported version. The message says what to install. */
export class PrismMissingError extends Error {
  override readonly name = 'PrismMissingError';
}

/**
 * Loads Prism in the pinned versions, because later versions leave a POST with invalid JSON unanswered. Throws a
 * PrismMissingError. Uses `require`, because Node can't detect the named exports of Prism's CommonJS modules.
 */
export function loadPrism(resolveFrom: string | URL = import.meta.url): PrismModules {
  const require = createRequire(resolveFrom);
  const { name, peerDependencies } = manifest();
  const pinned = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@stoplight/'));
  const wanted = pinned.map((each) => each.join('@')).join(' ');
  for (const [peer, version] of pinned) {
    const found = versionOf(require, peer);
    if (found === version) continue;
    const state = found ? `is installed as ${peer}@${found}, which it can't use` : 'is not installed';
    throw new PrismMissingError(
      `The mock needs Prism, which ${state}. Install it with:\nnpm install --save-dev ${name} ${wanted}`,
    );
  }
  return {
    server: require('@stoplight/prism-http-server'),
    http: require('@stoplight/prism-http'),
    core: require('@stoplight/prism-core'),
  };
}

function versionOf(require: NodeJS.Require, module: string): string | null {
  try {
    return (require(`${module}/package.json`) as { version: string }).version;
  } catch {
    return null;
  }
}

/** Reads the package.json, one folder up from the sources and from the build. */
function manifest(): { name: string; peerDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

/** Paths of the contract: the copy in the build, and the repository's file for the sources. */
const PLACES = ['./openapi.yaml', '../../openapi.yaml'];

/** Returns the path of the contract file. Throws if the package is incomplete. */
export function contractPath(): string {
  const paths = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`The package is incomplete: ${paths[0]} is missing. Install it again.`);
  return found;
}
