import { join } from 'node:path';
import type { Config } from '../../platform/config/load-config.ts';
import { createKeyFile, keyFileWarning, readKeyFile } from './signing-key-file.ts';
import { type KeySet, parseKeySet, SigningKeyError } from './signing-keys.ts';

/** Settings that say where the keys are. */
type KeySettings = Pick<Config, 'signingKey' | 'signingKeyFile' | 'dataDir'>;

/** Name of the key file in the data folder. */
const FILE_NAME = 'signing-key.json';

/** Warning of a server that has no signing key and must not create one. */
const NO_SIGNING_KEY =
  'scores are not signed: DATABASE_URL may serve several processes, which must share one key. Run "signing-key create", copy the file to every machine and set SIGNING_KEY_FILE';

/** Returns the path of the key file: that of SIGNING_KEY_FILE, otherwise one in the data folder. */
export function keyFileOf({ signingKeyFile, dataDir }: KeySettings): string {
  return signingKeyFile ?? join(dataDir, FILE_NAME);
}

/**
 * Opens the keys that sign scores. SIGNING_KEY takes precedence over the key file. If neither exists, the only server
 * of a database (`isOnlyServer`) creates the file. Several servers would each create a different key. If there may be
 * several, returns null, so that nothing is signed; throws if SIGNING_KEY_FILE names a missing file.
 */
export async function openSigningKeys(settings: KeySettings, isOnlyServer: boolean): Promise<KeySet | null> {
  const { signingKey, signingKeyFile } = settings;
  if (signingKey !== null) return parseKeySet(signingKey, 'SIGNING_KEY');
  const path = keyFileOf(settings);
  const kept = await readKeyFile(path);
  if (kept) return kept;
  if (isOnlyServer) return createKeyFile(path);
  if (signingKeyFile === null) return null;
  throw new SigningKeyError(
    `There is no ${path} (SIGNING_KEY_FILE). With DATABASE_URL, a start creates no key, because several processes must share one. Create it once with: signing-key create`,
  );
}

/** Returns what the operator should know about the keys that `openSigningKeys` returned; null if they are in order. */
export async function signingKeyWarning(settings: KeySettings, keys: KeySet | null): Promise<string | null> {
  if (keys === null) return NO_SIGNING_KEY;
  return settings.signingKey === null ? keyFileWarning(keyFileOf(settings)) : null;
}
