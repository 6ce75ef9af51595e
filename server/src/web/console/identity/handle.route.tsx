import { chooseHandle, hasChosenHandle, proposeHandle } from '../../../ownership/handles/choose-handle.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { CHOOSE_HANDLE, CONSOLE, isPage, nextPath } from '../../../platform/http/redirect-paths.ts';
import type { ConsoleResponse, Page } from '../frame/console-response.ts';
import { NO_PROBLEMS, type Problems, readLine, singleProblem } from '../frame/console-response.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import type { Visit } from '../frame/visit.ts';
import { requireRecentVisitor } from '../frame/visit.ts';
import { HandleView } from './handle.page.tsx';

/** Registers the page on which the account chooses or changes its handle. */
export function registerHandlePages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(CHOOSE_HANDLE, async (visit) => {
    await requireRecentVisitor(parts, visit);
    return showHandle(parts, visit, null, NO_PROBLEMS);
  });
  router.post(CHOOSE_HANDLE, CHOOSE_HANDLE, (visit) => choose(parts, visit));
}

async function choose(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { accountId, lockRecentSignIn } = visit;
  const wanted = readLine(visit.form, 'handle').replace(/^@/, '');
  const isFirst = !(await hasChosenHandle(parts.database, accountId));
  try {
    await chooseHandle(parts.database, parts.backend, { accountId, handle: wanted, lockRecentSignIn });
    if (!isFirst) return { redirectTo: `${CHOOSE_HANDLE}?done=changed` };
    return { redirectTo: requestedPage(parts, visit.form) ?? '/console?done=handle' };
  } catch (error) {
    if (!(error instanceof DomainError) || !HANDLE_ERRORS.has(error.code)) throw error;
    return showHandle(parts, visit, wanted, singleProblem('handle', error.message));
  }
}

const HANDLE_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'handle_taken']);

async function showHandle(
  parts: ConsoleDependencies,
  { accountId, query, form }: Visit,
  wanted: string | null,
  problems: Problems,
): Promise<Page> {
  const { handle, proposed } = await proposeHandle(parts.database, accountId);
  const next = requestedPage(parts, form) ?? requestedPage(parts, query);
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

/**
 * Returns the page to continue to after the handle is chosen; null if that is this page or the overview, which leads
 * here.
 */
function requestedPage({ publicUrls }: ConsoleDependencies, said: URLSearchParams): string | null {
  const next = nextPath(said.get('next'), publicUrls.site.origin);
  return next === null || isPage(next, CHOOSE_HANDLE) || isPage(next, CONSOLE) ? null : next;
}
