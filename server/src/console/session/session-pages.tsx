import { endAllSessions, readSession } from '../../callers/session.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { EverywhereQuestion, SessionView } from './session-view.tsx';

const SESSION = '/console/session';
const EVERYWHERE = `${SESSION}/everywhere`;

/** Who is signed in, since when, and how to end it, here or everywhere. */
export function registerSessionPages(router: ConsoleRouter, { database }: ConsoleParts): void {
  router.show(SESSION, async ({ account, sessionId }) => {
    const session = await readSession(database, sessionId);
    const content = <SessionView account={await account()} session={session} />;
    return { title: 'Session', tab: 'session', content };
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
