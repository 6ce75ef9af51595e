import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the contract is written; a package that is installed by itself does not have it. */
const WRITTEN_CONTRACT = new URL('../../../openapi.yaml', import.meta.url);
/** The copy that the build leaves beside the compiled server. The built server lies as deep in the package as src/config. */
const BUILT_CONTRACT = new URL('../../dist/openapi.yaml', import.meta.url);

/** What the build has made of the contract. */
export const PREPARED_CONTRACT_PATH = fileURLToPath(new URL('../../dist/contract.json', import.meta.url));

/** What the build has packed the SDK into, for this server to hand out. */
export const PACKED_SDK_FOLDER = fileURLToPath(new URL('../../dist/sdk', import.meta.url));

const isCheckout = existsSync(WRITTEN_CONTRACT);

/** The contract of the project in a checkout, where it may have been edited since the build; else the package's copy of it. */
export const CONTRACT_PATH = fileURLToPath(isCheckout ? WRITTEN_CONTRACT : BUILT_CONTRACT);

/** What an operator types before the name of a command: the script of a checkout, or the installed program. */
export const OPERATOR_COMMAND = isCheckout ? 'npm run cli --' : 'trust-directory-server';
