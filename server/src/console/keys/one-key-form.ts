import { v7 as uuidv7 } from 'uuid';
import type { Credential } from '../../callers/principal.ts';
import { isSameSecret } from '../../callers/secret.ts';
import { signFor } from '../../http/credentials/csrf-token.ts';

/** The hidden field that makes a form good for one key. */
export const ONE_KEY_FIELD = 'one_key';

/**
 * What the form of a new key carries: the id that its key will have, made by us and by nobody else. So a form that is sent
 * twice, by a reload or a second click, finds that its key is there.
 */
export function newOneKeyToken(credential: Credential): string {
  const id = uuidv7();
  return `${id}.${signFor(credential, `one key ${id}`)}`;
}

/** The key's id in a token that this session's form carried; null for anything else. */
export function readOneKeyToken(credential: Credential, token: string): string | null {
  const [id = '', given = ''] = token.split('.');
  return isSameSecret(signFor(credential, `one key ${id}`), given) ? id : null;
}
