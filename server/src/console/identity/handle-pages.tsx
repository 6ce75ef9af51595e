import { requireAccount } from '../../accounts/account.repository.ts';
import { chooseHandle } from '../../accounts/choose-handle.ts';
import { DomainError } from '../../domain-error.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { lineOf, NONE, type Problems, problemOf } from '../frame/problems.ts';
import type { Visit } from '../frame/visit.ts';
import { HandleView } from './handle-view.tsx';

const HANDLE = '/console/handle';

/** The name that everything of the account is listed under. */
export function registerHandlePages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(HANDLE, (visit) => showHandle(parts, visit, null, NONE));
  router.take(HANDLE, HANDLE, (visit) => choose(parts, visit));
}

async function choose(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { accountId, lockCredential } = visit;
  const wanted = lineOf(visit.form, 'handle').replace(/^@/, '');
  const { handle: before } = await requireAccount(parts.database, accountId);
  try {
    await chooseHandle(parts.database, accountId, wanted, lockCredential);
    return { redirectTo: before === null ? '/console?done=handle' : `${HANDLE}?done=changed` };
  } catch (error) {
    if (!(error instanceof DomainError) || !ABOUT_THE_HANDLE.has(error.code)) throw error;
    return showHandle(parts, visit, wanted, problemOf('handle', error.message));
  }
}

const ABOUT_THE_HANDLE: ReadonlySet<string> = new Set(['invalid_request', 'handle_taken']);

async function showHandle(
  { database }: ConsoleParts,
  { accountId, query }: Visit,
  wanted: string | null,
  problems: Problems,
): Promise<Page> {
  const { handle } = await requireAccount(database, accountId);
  const content = (
    <HandleView handle={handle} wanted={wanted ?? handle ?? ''} problems={problems} query={query} />
  );
  return { title: 'Your handle', tab: 'identity', status: problems.size > 0 ? 400 : 200, content };
}
