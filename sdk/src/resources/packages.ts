import type { PackageReport } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Methods that read the advisories of packages. They are free and need no key. */
export interface Packages {
  /**
   * Reads the known advisories of a package of npm or PyPI, listed or not: `npm:name`, `npm:name@1.2.3`,
   * `pypi:name==1.2.3` or a package URL. Without a version, the standing is that of the whole package. Rejects with a
   * `BadRequestError` for a text that is not a package name.
   *
   * @example
   * const { standing, advisories } = await client.packages.get('npm:mcp-remote@0.1.15');
   */
  get(name: string, options?: CallOptions): ApiPromise<PackageReport>;
}

/** Path of a package's report. The name is written as a path parameter, because only these must not be empty. */
export const PACKAGE = '/api/packages&package={package}' as '/api/packages';

/** Creates the methods for a client. */
export const packagesOf = (call: Call): Packages => ({
  get: (name, options) => call('get', PACKAGE, 'standing', { path: name }, options),
});
