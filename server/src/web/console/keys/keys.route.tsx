import { createKeyOnce, replaceKey } from '../../../access/keys/create-key.ts';
import { requireKey } from '../../../access/keys/key-fields.ts';
import { type KeyPage, readKeys } from '../../../access/keys/list-keys.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from '../../../access/keys/own-keys.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  requireRecentVisitor,
  type Visit,
} from '../frame/console-router.ts';
import { NO_PROBLEMS, type Problems, readLine, singleProblem, WHOLE_FORM } from '../frame/fields.tsx';
import { KEY_STATES, type KeyState } from './key-facts.tsx';
import {
  checkKeyForm,
  EMPTY_KEY_FORM,
  expiryOf,
  type KeyForm,
  newOneKeyToken,
  ONE_KEY_FIELD,
  readKeyForm,
  readOneKeyToken,
  visitorKey,
  visitorSlots,
} from './key-form.ts';
import { registerLimitPages } from './key-limits.page.tsx';
import { KeyList, ReplaceConfirmation, RevokeConfirmation, type StateKeys } from './key-list.page.tsx';
import { KeyFormView, loadSampleCall, NewKeySecret } from './new-key.page.tsx';

const REPLACE = '/console/keys/:id/replace';

/**
 * Registers the page that replaces a key after a confirmation. If the form is sent twice, the second request finds the
 * old key revoked.
 */
function registerReplacePages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(REPLACE, async (visit) => {
    await requireRecentVisitor(parts, visit);
    return showForm(parts, visit, null, NO_PROBLEMS);
  });
  router.post(REPLACE, REPLACE, (visit) => replace(parts, visit));
}

async function showForm(
  parts: ConsoleDependencies,
  visit: Visit,
  typed: { name: string; expires: string } | null,
  problems: Problems,
): Promise<Page> {
  const key = await visitorKey(parts, visit);
  const { name = key.name, expires = '' } = typed ?? {};
  return {
    title: 'Replace a key',
    tab: 'keys',
    status: problems.size > 0 ? 400 : 200,
    content: <ReplaceConfirmation keyRecord={key} name={name} expires={expires} problems={problems} />,
  };
}

async function replace(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, planBook, publicUrls } = parts;
  const { state } = await requireKey(database, visit.accountId, pathParameter(visit, 'id'));
  // Handles a reload of the page that showed the new key.
  if (state === 'revoked') return { redirectTo: '/console/keys?done=replaced-before' };
  const typed = { name: readLine(visit.form, 'name'), expires: readLine(visit.form, 'expires') };
  const problems = checkKeyForm(typed);
  if (problems.size > 0) return showForm(parts, visit, typed, problems);
  // Load the sample call before creating the key: after that, nothing may fail before the secret is shown.
  const asked = await loadSampleCall(parts);
  try {
    const made = await replaceKey(database, planBook, {
      sessionId: visit.sessionId,
      replacesKeyId: pathParameter(visit, 'id'),
      name: typed.name,
      expiresAt: expiryOf(typed.expires),
    });
    const content = (
      <NewKeySecret made={made} name={typed.name} site={publicUrls.site.origin} asked={asked} />
    );
    return { title: 'Your new key', tab: 'keys', content };
  } catch (error) {
    return showForm(parts, visit, typed, toProblems(error));
  }
}

/** Maps an error to form problems; rethrows errors that the form cannot fix. */
function toProblems(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'key_limit_reached') return singleProblem(WHOLE_FORM, error.message);
  if (error.code === 'invalid_request') return singleProblem('expires', error.message);
  throw error;
}

const PAGE_SIZE = 20;

/** States of the keys that are shown if the URL's query names no state. */
const DEFAULT_STATES: readonly KeyState[] = ['active', 'inactive'];

/**
 * Loads the page of the account's keys. If the query names a state, shows the keys in that state, page by page;
 * otherwise the first page of the active keys and of the paused ones.
 */
async function loadKeysPage({ database, planBook }: ConsoleDependencies, visit: Visit): Promise<Page> {
  const { accountId, account, query } = visit;
  const { plan } = await account();
  const asked = KEY_STATES.find((state) => state === query.get('state')) ?? null;
  const states: StateKeys[] = [];
  let slots = { active: 0, limit: 0 };
  for (const state of asked === null ? DEFAULT_STATES : [asked]) {
    const cursor = asked === null ? null : query.get('cursor');
    const page: KeyPage = await readKeys(
      database,
      planBook,
      { accountId, plan },
      { state, cursor, limit: PAGE_SIZE },
    );
    states.push({ state, keys: page.keys, nextCursor: page.nextCursor });
    slots = page;
  }
  const content = (
    <KeyList
      states={states}
      slots={{ plan, taken: slots.active, limit: slots.limit }}
      asked={asked}
      query={query}
    />
  );
  return { title: 'Keys', tab: 'keys', content };
}

const LIST = '/console/keys';

/** Registers the pages of the account's keys: list, create, limit, pause, resume, replace, revoke. */
export function registerKeyPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  const { database, planBook } = parts;
  router.get(LIST, (visit) => loadKeysPage(parts, visit));
  registerNewKeyPages(router, parts);
  registerReplacePages(router, parts);
  registerLimitPages(router, parts);
  router.post(`${LIST}/:id/pause`, LIST, async (visit) => {
    await pauseOwnKey(database, visit.sessionId, pathParameter(visit, 'id'));
    return { redirectTo: `${LIST}?done=paused` };
  });
  router.post(`${LIST}/:id/resume`, LIST, async (visit) => {
    await resumeOwnKey(database, planBook, visit.sessionId, pathParameter(visit, 'id'));
    return { redirectTo: `${LIST}?done=resumed` };
  });
  router.get(`${LIST}/:id/revoke`, async (visit) => {
    const key = await visitorKey(parts, visit);
    return { title: 'Revoke a key', tab: 'keys', content: <RevokeConfirmation keyRecord={key} /> };
  });
  router.post(`${LIST}/:id/revoke`, `${LIST}/:id/revoke`, async (visit) => {
    await revokeOwnKey(database, visit.sessionId, pathParameter(visit, 'id'));
    return { redirectTo: `${LIST}?done=revoked` };
  });
}

const NEW = '/console/keys/new';
const ALREADY_CREATED = { redirectTo: '/console/keys?done=made-before' };

/** Registers the form of a new key, and the page that shows the secret of the key, once. */
function registerNewKeyPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(NEW, async (visit) => {
    await requireRecentVisitor(parts, visit);
    return showNewKeyForm(parts, visit, EMPTY_KEY_FORM, NO_PROBLEMS);
  });
  router.post(NEW, NEW, (visit) => createKey(parts, visit));
}

/** Creates the form's key and shows its secret in this response, because the secret is not stored. */
async function createKey(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, planBook, publicUrls } = parts;
  const { accountId, sessionId, credential } = visit;
  const form = readKeyForm(visit.form);
  const id = readOneKeyToken(credential, visit.form.get(ONE_KEY_FIELD) ?? '');
  if (id === null)
    throw new DomainError('csrf_failed', 'The form has expired. Open it again and send it from there.');
  const problems = checkKeyForm(form);
  if (problems.size > 0) return showNewKeyForm(parts, visit, form, problems);
  const { name, scopes } = form;
  const wanted = { accountId, sessionId, name, scopes, expiresAt: expiryOf(form.expires), id };
  // Load the sample call before creating the key: after that, nothing may fail before the secret is shown.
  const asked = await loadSampleCall(parts);
  try {
    const made = await createKeyOnce(database, planBook, wanted);
    if (made === null) return ALREADY_CREATED;
    return {
      title: 'Your new key',
      tab: 'keys',
      content: <NewKeySecret made={made} name={name} site={publicUrls.site.origin} asked={asked} />,
    };
  } catch (error) {
    return showNewKeyForm(parts, visit, form, newKeyProblems(error));
  }
}

/** Maps an error to form problems; rethrows errors that the form cannot fix. */
function newKeyProblems(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'key_limit_reached') return singleProblem(WHOLE_FORM, error.message);
  // Name and scopes are already valid, so the expiry must be in the past by the database's clock.
  if (error.code === 'invalid_request') return singleProblem('expires', 'The day must be today or later.');
  throw error;
}

async function showNewKeyForm(
  parts: ConsoleDependencies,
  visit: Visit,
  form: KeyForm,
  problems: Problems,
): Promise<Page> {
  const slots = await visitorSlots(parts, visit);
  const content = (
    <KeyFormView
      form={form}
      problems={problems}
      slots={slots}
      oneKeyToken={newOneKeyToken(visit.credential)}
    />
  );
  return { title: 'Create a key', tab: 'keys', status: problems.size > 0 ? 400 : 200, content };
}
