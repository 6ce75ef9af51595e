import { DomainError } from '../../domain-error.ts';
import { chooseHandle } from '../../handles/choose-handle.ts';
import { hasChosenHandle, proposeHandle } from '../../handles/chosen-handle.ts';
import { CHOOSE_HANDLE, CONSOLE, isPage, nextPath } from '../../http/own-path.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { lineOf, NONE, type Problems, problemOf } from '../frame/problems.ts';
import { requireRecent } from '../frame/require-recent.ts';
import type { Visit } from '../frame/visit.ts';
import { HandleView } from './handle-view.tsx';

/** The name that everything of the account is listed under. */
export function registerHandlePages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(CHOOSE_HANDLE, async (visit) => {
    await requireRecent(parts, visit);
    return showHandle(parts, visit, null, NONE);
  });
  router.take(CHOOSE_HANDLE, CHOOSE_HANDLE, (visit) => choose(parts, visit));
}

async function choose(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { accountId, lockRecentSignIn } = visit;
  const wanted = lineOf(visit.form, 'handle').replace(/^@/, '');
  const isFirst = !(await hasChosenHandle(parts.database, accountId));
  try {
    await chooseHandle(parts.database, parts.backend, { accountId, handle: wanted, lockRecentSignIn });
    if (!isFirst) return { redirectTo: `${CHOOSE_HANDLE}?done=changed` };
    return { redirectTo: wantedPage(parts, visit.form) ?? '/console?done=handle' };
  } catch (error) {
    if (!(error instanceof DomainError) || !ABOUT_THE_HANDLE.has(error.code)) throw error;
    return showHandle(parts, visit, wanted, problemOf('handle', error.message));
  }
}

const ABOUT_THE_HANDLE: ReadonlySet<string> = new Set(['invalid_request', 'handle_taken']);

async function showHandle(
  parts: ConsoleParts,
  { accountId, query, form }: Visit,
  wanted: string | null,
  problems: Problems,
): Promise<Page> {
  const { handle, proposed } = await proposeHandle(parts.database, accountId);
  const next = wantedPage(parts, form) ?? wantedPage(parts, query);
  const content = (
    <HandleView
      handle={handle}
      wanted={wanted ?? proposed ?? ''}
      next={handle === null ? next : null}
      problems={problems}
      query={query}
    />
  );
  return { title: 'Your handle', tab: 'identity', status: problems.size > 0 ? 400 : 200, content };
}

/** Where a newcomer was on the way to; null for nowhere else than here, or the overview, which leads here. */
function wantedPage({ naming }: ConsoleParts, said: URLSearchParams): string | null {
  const next = nextPath(said.get('next'), naming.site.origin);
  return next === null || isPage(next, CHOOSE_HANDLE) || isPage(next, CONSOLE) ? null : next;
}
