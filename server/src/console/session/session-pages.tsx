import { requireAccount } from '../../accounts/require-account.ts';
import { endAllSessions, readSession } from '../../callers/session.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { EverywhereQuestion, SessionView } from './session-view.tsx';

const SESSION = '/console/session';
const EVERYWHERE = `${SESSION}/everywhere`;

/** Who is signed in, since when, and how to end it, here or everywhere. */
export function registerSessionPages(router: ConsoleRouter, { database }: ConsoleParts): void {
  router.show(SESSION, async ({ accountId, sessionId }) => {
    const account = await requireAccount(database, accountId);
    const session = await readSession(database, sessionId);
    return { title: 'Session', tab: 'session', content: <SessionView account={account} session={session} /> };
  });
  router.show(EVERYWHERE, async () => ({
    title: 'Sign out everywhere',
    tab: 'session',
    content: <EverywhereQuestion />,
  }));
  router.take(EVERYWHERE, EVERYWHERE, async ({ accountId }) => {
    await endAllSessions(database, accountId);
    return { redirectTo: '/sign-in', endsSession: true };
  });
}
