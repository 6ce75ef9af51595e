import { endAllSessions, readSession } from '../../../access/callers/session.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import { SessionView, SignOutEverywhereConfirmation } from './session.page.tsx';

const SESSION = '/console/session';
const EVERYWHERE = `${SESSION}/everywhere`;

/** Registers the pages of the session and of signing out everywhere. */
export function registerSessionPages(router: ConsoleRouter, { database }: ConsoleDependencies): void {
  router.get(SESSION, async ({ account, sessionId }) => {
    const session = await readSession(database, sessionId);
    const content = <SessionView account={await account()} session={session} />;
    return { title: 'Session', tab: 'session', content };
  });
  router.get(EVERYWHERE, async () => ({
    title: 'Sign out everywhere',
    tab: 'session',
    content: <SignOutEverywhereConfirmation />,
  }));
  router.post(EVERYWHERE, EVERYWHERE, async ({ accountId }) => {
    await endAllSessions(database, accountId);
    return { redirectTo: '/sign-in', endsSession: true };
  });
}
