import { KEY_SCOPES, type Scope } from '../../callers/principal.ts';
import { isShownName, SHOWN_NAME_RULE } from '../../subjects/shown-name.ts';
import { isPlainText, lineOf, ProblemList, type Problems } from '../frame/problems.ts';

/** A new key as its form says it. */
export interface KeyForm {
  name: string;
  scopes: readonly Scope[];
  /** `YYYY-MM-DD`; empty for a key that does not expire. */
  expires: string;
}

/** The form as it is first shown. */
export const EMPTY_KEY_FORM: KeyForm = { name: '', scopes: ['scores:read'], expires: '' };

/** What a form that was sent says, checked or not. */
export function readKeyForm(form: URLSearchParams): KeyForm {
  const asked = form.getAll('scopes');
  return {
    name: lineOf(form, 'name'),
    scopes: KEY_SCOPES.filter((scope) => asked.includes(scope)),
    expires: lineOf(form, 'expires'),
  };
}

/** What can be told of a form without asking the database; one that replaces a key chooses no scopes. */
export function checkKeyForm({
  name,
  scopes,
  expires,
}: Omit<KeyForm, 'scopes'> & Partial<KeyForm>): Problems {
  const list = new ProblemList();
  list.require(name !== '', 'name', 'Enter a name for the key, such as the program that will use it.');
  list.require(
    name.length <= 100 && isPlainText(name) && (name === '' || isShownName(name)),
    'name',
    `A name has at most 100 printable characters; it needs ${SHOWN_NAME_RULE}.`,
  );
  list.require(scopes?.length !== 0, 'scopes', 'Choose at least one scope.');
  list.require(
    expires === '' || expiryOf(expires) !== null,
    'expires',
    'The day must be YYYY-MM-DD, or empty.',
  );
  return list.problems;
}

/** The last moment of a day in UTC; null where there is no such day, or none was given. */
export function expiryOf(day: string): string | null {
  const moment = new Date(`${day}T23:59:59Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(moment.getTime());
  // A 31st of February would be read as a day of March.
  return isDay && moment.toISOString().startsWith(day) ? moment.toISOString() : null;
}
