import { DomainError } from '../../domain-error.ts';
import { createKeyOnce } from '../../keys/create-key.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { NONE, type Problems, problemOf, WHOLE } from '../frame/problems.ts';
import { requireRecent } from '../frame/require-recent.ts';
import type { Visit } from '../frame/visit.ts';
import { loadFirstAsked } from './first-call.ts';
import { checkKeyForm, EMPTY_KEY_FORM, expiryOf, type KeyForm, readKeyForm } from './key-form.ts';
import { KeyFormView } from './key-form-view.tsx';
import { KeyMade } from './key-made-view.tsx';
import { newOneKeyToken, ONE_KEY_FIELD, readOneKeyToken } from './one-key-form.ts';
import { visitorSlots } from './visitor-keys.ts';

const NEW = '/console/keys/new';
const MADE_BEFORE = { redirectTo: '/console/keys?done=made-before' };

/** The form of a new key, and the one time that its secret is shown. */
export function registerNewKeyPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(NEW, async (visit) => {
    await requireRecent(parts, visit);
    return showForm(parts, visit, EMPTY_KEY_FORM, NONE);
  });
  router.take(NEW, NEW, (visit) => makeKey(parts, visit));
}

/** Makes the form's one key, and shows its secret in the answer itself: it is stored nowhere to be shown by another page. */
async function makeKey(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, planBook, naming } = parts;
  const { accountId, sessionId, credential } = visit;
  const form = readKeyForm(visit.form);
  const id = readOneKeyToken(credential, visit.form.get(ONE_KEY_FIELD) ?? '');
  if (id === null)
    throw new DomainError('csrf_failed', 'The form has expired. Open it again and send it from there.');
  const problems = checkKeyForm(form);
  if (problems.size > 0) return showForm(parts, visit, form, problems);
  const { name, scopes } = form;
  const wanted = { accountId, sessionId, name, scopes, expiresAt: expiryOf(form.expires), id };
  // Read before the key is made: after that nothing may fail that keeps its secret from being shown.
  const asked = await loadFirstAsked(parts);
  try {
    const made = await createKeyOnce(database, planBook, wanted);
    if (made === null) return MADE_BEFORE;
    return {
      title: 'Your new key',
      tab: 'keys',
      content: <KeyMade made={made} name={name} site={naming.site.origin} asked={asked} />,
    };
  } catch (error) {
    return showForm(parts, visit, form, explain(error));
  }
}

/** Throws on what no field can mend. */
function explain(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'key_limit_reached') return problemOf(WHOLE, error.message);
  // Name and scopes were checked: what is left is a day that lies behind by the database's clock.
  if (error.code === 'invalid_request') return problemOf('expires', 'The day must be today or later.');
  throw error;
}

async function showForm(parts: ConsoleParts, visit: Visit, form: KeyForm, problems: Problems): Promise<Page> {
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
