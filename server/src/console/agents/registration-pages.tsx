import { registerAgent } from '../../directory/own-agents/register-agent.ts';
import { DomainError } from '../../domain-error.ts';
import { hasChosenHandle } from '../../handles/chosen-handle.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { NONE, type Problems, problemOf, WHOLE } from '../frame/problems.ts';
import type { Visit } from '../frame/visit.ts';
import { stepPath } from './listing-steps.tsx';
import {
  checkRegistration,
  EMPTY_REGISTRATION,
  type RegistrationForm,
  readRegistrationForm,
  registrationOf,
} from './registration-form.ts';
import { RegistrationView } from './registration-view.tsx';

const REGISTER = '/console/register';

/** Listing an agent or a skill under the account's own handle. */
export function registerRegistrationPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(REGISTER, (visit) => showForm(parts, visit, EMPTY_REGISTRATION, NONE));
  router.take(REGISTER, REGISTER, (visit) => register(parts, visit));
}

async function register(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, backend, naming, hosts, config } = parts;
  const form = readRegistrationForm(visit.form);
  const problems = checkRegistration(form);
  if (problems.size > 0) return showForm(parts, visit, form, problems);
  try {
    const { id, isNew } = await registerAgent(database, {
      ...registrationOf(form),
      accountId: visit.accountId,
      allowedHosts: config.repositoryHosts,
      backend,
      naming,
      hosts,
      lockCredential: visit.lockCredential,
    });
    return { redirectTo: `${stepPath(id, 'Claim')}?done=${isNew ? 'registered' : 'taken'}` };
  } catch (error) {
    return showForm(parts, visit, form, explain(error));
  }
}

/** Which field a refusal is about; throws on what no field can mend. */
function explain(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  const { code, message } = error;
  if (code === 'already_registered') return problemOf('repoHostUrl', message);
  if (code !== 'invalid_request') throw error;
  if (message.startsWith('repoHostUrl '))
    return problemOf('repoHostUrl', message.replace('repoHostUrl', 'The address'));
  if (message.startsWith('parentId ')) return problemOf('parentId', 'No agent or skill has this id.');
  if (message.startsWith('It is listed as '))
    return problemOf('type', message.replace('Leave type out.', 'Choose “Keep the existing type”.'));
  return problemOf(WHOLE, message);
}

async function showForm(
  parts: ConsoleParts,
  visit: Visit,
  form: RegistrationForm,
  problems: Problems,
): Promise<Page> {
  const { database, config } = parts;
  const content = (
    <RegistrationView
      hasHandle={await hasChosenHandle(database, visit.accountId)}
      form={form}
      problems={problems}
      hosts={config.repositoryHosts}
    />
  );
  return { title: 'Register', tab: 'agents', status: problems.size > 0 ? 400 : 200, content };
}
