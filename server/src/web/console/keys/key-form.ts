import { v7 as uuidv7 } from 'uuid';
import { type KeySlots, keySlots } from '../../../access/keys/create-key.ts';
import { type KeyRecord, requireUsableKey } from '../../../access/keys/key-fields.ts';
import { signFor } from '../../../platform/http/credentials/credential.ts';
import { type Credential, KEY_SCOPES, type Scope } from '../../../platform/http/credentials/principal.ts';
import { isSameSecret } from '../../../platform/http/credentials/secret.ts';
import { isValidName, NAME_RULE } from '../../../platform/text/request-text.ts';
import { type ConsoleDependencies, pathParameter, type Visit } from '../frame/console-router.ts';
import { isPlainText, ProblemList, type Problems, readLine } from '../frame/fields.tsx';

/** Name of the hidden field with the signed token that ensures that a form creates at most one key. */
export const ONE_KEY_FIELD = 'one_key';

/**
 * Creates the form's signed token, which contains the id of the key that the form will create. If the form is sent
 * twice, by a reload or a second click, the second request finds the key already created.
 */
export function newOneKeyToken(credential: Credential): string {
  const id = uuidv7();
  return `${id}.${signFor(credential, `one key ${id}`)}`;
}

/** Returns the id of the key to create from a token that this session's form contained; null for any other token. */
export function readOneKeyToken(credential: Credential, token: string): string | null {
  const [id = '', given = ''] = token.split('.');
  return isSameSecret(signFor(credential, `one key ${id}`), given) ? id : null;
}

/** Returns the number of the visitor's active keys and the limit of the visitor's plan. */
export async function visitorSlots(
  { database, planBook }: ConsoleDependencies,
  { accountId, account }: Visit,
): Promise<KeySlots> {
  const { plan } = await account();
  return keySlots(database, planBook, { accountId, plan });
}

/** Returns the visitor's key that the path names, if it can still be changed. Throws not_found or invalid_request. */
export function visitorKey({ database }: ConsoleDependencies, visit: Visit): Promise<KeyRecord> {
  return requireUsableKey(database, visit.accountId, pathParameter(visit, 'id'));
}

/** Form of a new key, as submitted. */
export interface KeyForm {
  name: string;
  scopes: readonly Scope[];
  /** Day as `YYYY-MM-DD`; empty for no expiry. */
  expires: string;
}

/** Initial values of the form. */
export const EMPTY_KEY_FORM: KeyForm = { name: '', scopes: ['scores:read'], expires: '' };

/** Reads a submitted form without validating it. */
export function readKeyForm(form: URLSearchParams): KeyForm {
  const asked = form.getAll('scopes');
  return {
    name: readLine(form, 'name'),
    scopes: KEY_SCOPES.filter((scope) => asked.includes(scope)),
    expires: readLine(form, 'expires'),
  };
}

/** Validates a form without database access. The form that replaces a key has no field for scopes. */
export function checkKeyForm({
  name,
  scopes,
  expires,
}: Omit<KeyForm, 'scopes'> & Partial<KeyForm>): Problems {
  const list = new ProblemList();
  list.require(name !== '', 'name', 'Enter a name for the key, such as the program that will use it.');
  list.require(
    name.length <= 100 && isPlainText(name) && (name === '' || isValidName(name)),
    'name',
    `The name must be 1 to 100 printable characters, with ${NAME_RULE}.`,
  );
  list.require(scopes?.length !== 0, 'scopes', 'Choose at least one scope.');
  list.require(
    expires === '' || expiryOf(expires) !== null,
    'expires',
    'The day must be YYYY-MM-DD, or empty.',
  );
  return list.problems;
}

/** Returns the last second of a day in UTC; null for an invalid or empty day. */
export function expiryOf(day: string): string | null {
  const moment = new Date(`${day}T23:59:59Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(moment.getTime());
  // Date would read 31 February as a day of March.
  return isDay && moment.toISOString().startsWith(day) ? moment.toISOString() : null;
}
