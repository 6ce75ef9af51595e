import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { siteOrigin } from '../frame/page-dependencies.ts';

/** Sources of the SDK's packages. */
export interface SdkSources {
  /** Folder of the package that the build created. */
  readonly built: string;
  /** Operator's folder of earlier versions; null for none. */
  readonly earlier: string | null;
  /** Source that the install command names. */
  readonly installFrom: 'server' | 'registry';
}

/** Packages of the SDK that this server offers. */
export interface SdkPackages {
  /**
   * Command that installs the SDK from the npm registry or from this server. Null only if it would name this server,
   * but the server was built without the SDK.
   */
  readonly installLine: string | null;
  /** Returns the content of a package by its file name; null if there is none. */
  read(file: string): Buffer | null;
}

/** Matches file names of packages; excludes path separators. */
const PACKAGE_FILE = /^trust-directory-sdk-\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?\.tgz$/;

/** Finds the packages. Throws if the operator has set a folder of earlier versions that does not exist. */
export function findSdkPackages(
  { built, earlier, installFrom }: SdkSources,
  publicUrls: PublicUrls,
): SdkPackages {
  if (earlier !== null && !isFolder(earlier)) {
    throw new Error(
      `SDK_RELEASES_DIR is ${earlier}, which is not a folder. Create it and put earlier packages of the SDK there, or unset it.`,
    );
  }
  const current = isFolder(built) ? readdirSync(built).find((name) => PACKAGE_FILE.test(name)) : undefined;
  const line = current && `npm install ${siteOrigin(publicUrls)}/sdk/${current}`;
  const folders = [built, ...(earlier === null ? [] : [earlier])];
  return {
    installLine: (installFrom === 'registry' ? 'npm install @trust-directory/sdk' : line) ?? null,
    read(file) {
      if (!PACKAGE_FILE.test(file)) return null;
      for (const folder of folders) {
        const path = join(folder, file);
        if (statSync(path, { throwIfNoEntry: false })?.isFile()) return readFileSync(path);
      }
      return null;
    },
  };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

interface PackageRoute {
  Params: { file: string };
}

/** A version never changes, so proxies may cache it forever. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/**
 * Route options: the rate limit of the public API. The response cache is not used, because packages are large and rarely
 * requested.
 */
const ROUTE = { config: { limit: 'public' } } as const;

/**
 * Serves packages of the SDK for `npm install`. For an unknown package, the body of the 404 has the command that
 * installs the current one.
 */
export function registerSdkDownloads(pages: FastifyInstance, sdk: SdkPackages): void {
  pages.get<PackageRoute>('/sdk/:file', ROUTE, async ({ params: { file } }, reply) => {
    const bytes = sdk.read(file);
    if (bytes) return reply.header('Cache-Control', CACHE_FOREVER).type('application/gzip').send(bytes);
    const advice = sdk.installLine
      ? `Install the current one:\n\n${sdk.installLine}\n`
      : 'It was built without its SDK: run "npm run build" and start it again.\n';
    reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8');
    return reply.send(`This server has no such package of the SDK. ${advice}`);
  });
}
