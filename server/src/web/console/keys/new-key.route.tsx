import { createKeyOnce } from '../../../access/keys/create-key.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-response.ts';
import { NO_PROBLEMS, type Problems, singleProblem, WHOLE_FORM } from '../frame/console-response.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import type { Visit } from '../frame/visit.ts';
import { requireRecentVisitor } from '../frame/visit.ts';
import {
  checkKeyForm,
  EMPTY_KEY_FORM,
  expiryOf,
  type KeyForm,
  newOneKeyToken,
  ONE_KEY_FIELD,
  readKeyForm,
  readOneKeyToken,
  visitorSlots,
} from './key-form.ts';
import { KeyFormView, loadSampleCall, NewKeySecret } from './new-key.page.tsx';

const NEW = '/console/keys/new';
const ALREADY_CREATED = { redirectTo: '/console/keys?done=made-before' };

/** Registers the form of a new key, and the page that shows the secret of the key, once. */
export function registerNewKeyPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(NEW, async (visit) => {
    await requireRecentVisitor(parts, visit);
    return showForm(parts, visit, EMPTY_KEY_FORM, NO_PROBLEMS);
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
  if (problems.size > 0) return showForm(parts, visit, form, problems);
  const { name, scopes } = form;
  const wanted = { accountId, sessionId, name, scopes, expiresAt: expiryOf(form.expires), id };
  // Read this before creating the key: after that, nothing may fail before the secret is shown.
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
    return showForm(parts, visit, form, toProblems(error));
  }
}

/** Maps an error to form problems; rethrows errors that no field can fix. */
function toProblems(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'key_limit_reached') return singleProblem(WHOLE_FORM, error.message);
  // Name and scopes are already valid, so the expiry must be in the past by the database's clock.
  if (error.code === 'invalid_request') return singleProblem('expires', 'The day must be today or later.');
  throw error;
}

async function showForm(
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
