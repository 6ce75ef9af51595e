import type { ConsoleStates } from '../console-states.ts';
import type { ApiClient, StateMakers } from '../states.ts';

const LINK = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const AGENT = 'AGT-7K2MQ9XD';
const CHILD = 'AGT-5N6TYV2H';

/** Selects the examples for the states of the console. */
export function consoleStates(
  clientWith: (headers: Record<string, string>) => ApiClient,
  session: Record<string, string>,
): Pick<StateMakers, keyof ConsoleStates> {
  const asked = (prefer?: string) => async () => ({
    client: clientWith({ ...session, ...(prefer && { Prefer: prefer }) }),
  });
  const link = (prefer?: string) => async () => ({ ...(await asked(prefer)()), id: LINK });
  const own = (prefer?: string) => async () => ({ ...(await asked(prefer)()), id: AGENT });
  const child = (prefer?: string) => async () => ({ ...(await asked(prefer)()), childId: CHILD });

  return {
    'a console session': asked(),
    'a console request without a session': async () => ({ client: clientWith({}) }),
    'a console session that has ended': asked('code=401'),
    'a console session from another site': async () => ({
      client: clientWith({ ...session, Origin: 'https://other.example' }),
    }),
    'a console session out of requests': asked('code=429'),
    'a console request with an unknown parameter': asked('code=400, example=unknown_parameter'),
    'a console session and an unforeseen fault': asked('code=500'),
    'a console session while the database is away': asked('code=503, example=unavailable'),

    'linked accounts, proved and pending': asked('example=proved_and_pending'),
    'a linked account whose code is published': link(),
    'a linked account whose code is not published': link('code=409, example=code_not_published'),
    'a linked account whose code has expired': link('code=409, example=code_expired'),
    'a linked account on a host that is away': link('code=503, example=host_away'),
    'a linked account of somebody else': link('code=404'),
    'a host that cannot be read': asked('code=400, example=unreadable_host'),

    'an agent of one’s own': own(),
    'agents of one’s own on several pages': own('example=with_next_page'),
    'nothing listed of one’s own': asked('example=none'),
    'an agent of somebody else': own('code=404'),
    'an agent that was just to be scored': own('code=429, example=just_asked'),
    'an agent that cannot be scored': own('code=503, example=not_scored'),
    'a cursor of another list of one’s own agents': asked('code=400, example=foreign_cursor'),

    'a child that waits': child(),
    'an acknowledged child': child(),
    'a child of an unverified creator': child('code=403, example=unverified_creator'),
    'a child of somebody else': child('code=404'),
    'nothing built on what one has listed': asked('example=none'),
    'a cursor of another list of children': asked('code=400, example=foreign_cursor'),
  };
}
