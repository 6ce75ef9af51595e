import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The parts of Prism that the mock runs on. */
export interface PrismModules {
  readonly server: typeof import('@stoplight/prism-http-server');
  readonly http: typeof import('@stoplight/prism-http');
  readonly core: typeof import('@stoplight/prism-core');
}

/** Prism is missing, or there in a version that the mock can't use. The message says what to install. */
export class PrismMissingError extends Error {
  override readonly name = 'PrismMissingError';
}

/**
 * Loads Prism in the versions that the package names: later ones never answer a POST with broken JSON. Throws a
 * PrismMissingError. Prism is CommonJS whose exports Node can't see through an import.
 */
export function loadPrism(resolveFrom: string | URL = import.meta.url): PrismModules {
  const require = createRequire(resolveFrom);
  const { name, peerDependencies } = manifest();
  const pinned = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@stoplight/'));
  const wanted = pinned.map((each) => each.join('@')).join(' ');
  for (const [peer, version] of pinned) {
    const found = versionOf(require, peer);
    if (found === version) continue;
    const state = found ? `is there as ${peer}@${found}, which it can't use` : 'is not installed';
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

/** The package's own description lies one folder up, for the sources as for the build. */
function manifest(): { name: string; peerDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}
