import type { PackageReport } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Methods that read the advisories of packages. They are free and need no key. */
export interface Packages {
  /**
   * Reads the known advisories of a package of npm or PyPI, listed or not, and its `standing`: whether they affect it.
   * The name is `npm:name`, `npm:name@1.2.3`, `pypi:name==1.2.3` or a package URL. Without a version, the standing is
   * that of the whole package. Rejects with a `BadRequestError` for a text that is not a package name.
   *
   * @example
   * const { standing, advisories } = await client.packages.get('npm:mcp-remote@0.1.15');
   */
  get(name: string, options?: CallOptions): ApiPromise<PackageReport>;
}

/** Path of a package's report. The query parameter is written like a path parameter, so that it must not be empty. */
export const PACKAGE = '/api/packages&package={package}' as '/api/packages';

/** Creates the methods for a client. */
export const packagesOf = (call: Call): Packages => ({
  get: (name, options) => call('get', PACKAGE, 'standing', { path: name }, options),
});
