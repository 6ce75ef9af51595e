import { registerAgent } from '../../../directory/own-agents/register-agent.ts';
import { hasChosenHandle } from '../../../ownership/handles/choose-handle.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-response.ts';
import { NO_PROBLEMS, type Problems, singleProblem, WHOLE_FORM } from '../frame/console-response.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import type { Visit } from '../frame/visit.ts';
import { stepPath } from './listing-steps.tsx';
import { RegistrationView } from './registration.page.tsx';
import {
  checkRegistration,
  emptyRegistration,
  type RegistrationForm,
  readRegistrationForm,
  toRegistration,
} from './registration-form.ts';

const REGISTER = '/console/register';

/** Registers the page that lists an agent or skill under the account's handle. */
export function registerRegistrationPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(REGISTER, (visit) => showForm(parts, visit, emptyRegistration(), NO_PROBLEMS));
  router.post(REGISTER, REGISTER, (visit) => register(parts, visit));
}

async function register(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, backend, publicUrls, hosts, config } = parts;
  const form = readRegistrationForm(visit.form);
  const problems = checkRegistration(form);
  if (problems.size > 0) return showForm(parts, visit, form, problems);
  try {
    const { id, isNew } = await registerAgent(database, {
      ...toRegistration(form),
      accountId: visit.accountId,
      allowedHosts: config.repositoryHosts,
      backend,
      publicUrls,
      hosts,
      lockCredential: visit.lockCredential,
    });
    return { redirectTo: `${stepPath(id, 'Claim')}?done=${isNew ? 'registered' : 'taken'}` };
  } catch (error) {
    return showForm(parts, visit, form, toProblems(error));
  }
}

/** Maps an error to the field that it is about; rethrows errors that no field can fix. */
function toProblems(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  const { code, message } = error;
  if (code === 'already_registered') return singleProblem('repoHostUrl', message);
  if (code !== 'invalid_request') throw error;
  if (message.startsWith('repoHostUrl '))
    return singleProblem('repoHostUrl', message.replace('repoHostUrl', 'The address'));
  if (message.startsWith('parentId ')) return singleProblem('parentId', 'No agent or skill has this id.');
  if (message.startsWith('It is listed as '))
    return singleProblem('type', message.replace('Leave type out.', 'Choose “Keep the existing type”.'));
  return singleProblem(WHOLE_FORM, message);
}

async function showForm(
  parts: ConsoleDependencies,
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
