import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file or folder of the server's package, such as `plans.json`. Both this file and the bundled
 * server are two folders below the package's root, so that the path is right in both. No other file may derive a path
 * from its own location.
 */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The project's contract. A server package that was installed by itself does not have it. */
const WRITTEN_CONTRACT = packageFile('../openapi.yaml');
/** The copy of the contract that the build puts into the package. */
const BUILT_CONTRACT = packageFile('dist/openapi.yaml');

/** Contract as prepared by the build. */
export const PREPARED_CONTRACT_PATH = packageFile('dist/contract.json');

/** Folder of the SDK packages that the build creates for this server to serve. */
export const PACKED_SDK_FOLDER = packageFile('dist/sdk');

const isCheckout = existsSync(WRITTEN_CONTRACT);

/**
 * Path of the contract. In a checkout, this is the project's file, which may have changed since the build; otherwise
 * the package's copy.
 */
export const CONTRACT_PATH = isCheckout ? WRITTEN_CONTRACT : BUILT_CONTRACT;

/** Start of every command line for operators, which differs between a checkout and an installed package. */
export const OPERATOR_COMMAND = isCheckout ? 'npm run cli --' : 'trust-directory-server';
