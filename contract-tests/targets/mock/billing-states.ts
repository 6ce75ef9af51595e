import type { BillingStates } from '../billing-states.ts';
import type { ApiClient, StateMakers } from '../states.ts';

const KEY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';

/** Selects the examples for the states of a signed-in person's own account. */
export function billingStates(
  clientWith: (headers: Record<string, string>) => ApiClient,
  session: Record<string, string>,
): Pick<StateMakers, keyof BillingStates> {
  const asked = (prefer?: string) => async () => ({
    client: clientWith({ ...session, ...(prefer && { Prefer: prefer }) }),
  });
  const key = (prefer?: string) => async () => ({ ...(await asked(prefer)()), id: KEY });
  const choice = (prefer?: string) => async () => ({ ...(await asked(prefer)()), handle: 'example-labs' });

  return {
    'a console session without a handle': asked('example=no_handle_yet'),
    'a handle that is free': choice(),
    'a handle that somebody has': choice('code=409'),
    'a handle that is kept': asked('code=400, example=kept'),
    'an account signed in twice': asked(),

    'an account with a balance': asked('example=builder'),
    'an account on the free plan': asked('code=400, example=no_overage'),
    'a cap beyond the plan': asked('code=400, example=beyond_the_plan'),

    'an access key of one’s own': key(),
    'a paused key of one’s own': key(),
    'a revoked key of one’s own': key('code=400, example=revoked'),
    'an access key of somebody else': key('code=404'),
    'a key that only the service refuses': asked('code=400, example=no_scopes'),
    'a revoked key to replace': key('code=400, example=not_replaceable'),
    'a key of somebody else to replace': key('code=400, example=not_replaceable'),
    'a session of long ago': asked('code=403, example=sign_in_again'),
    'no slot for one more key': asked('code=409'),
    'a paused key and no slot for it': key('code=409'),
    'keys on several pages': asked('example=with_next_page'),
    'an account without keys': asked('example=none'),
    'a cursor of another list of keys': asked('code=400, example=foreign_cursor'),

    'usage of a key': async () => ({ ...(await key()()), day: '2026-11-20' }),
    'usage on several pages': asked('example=with_next_page'),
    'an account without usage': asked('example=none'),
    'a filter of days that are none': asked('code=400, example=no_such_day'),
    'a filter of days in the wrong order': asked('code=400, example=days_reversed'),
    'a cursor of another list of usage': asked('code=400, example=foreign_cursor'),
  };
}
