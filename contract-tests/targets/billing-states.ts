import type { ApiClient } from './states.ts';

interface Called {
  readonly client: ApiClient;
}
interface Key extends Called {
  /** Id of an access key. */
  readonly id: string;
}
interface UsedKey extends Key {
  /** A day in UTC with calls of the key. */
  readonly day: string;
}

/** States of a signed-in person's account: its balance, its keys and their usage. */
export interface BillingStates {
  'a console session without a handle': Called;
  'a handle that is free': Called & { readonly handle: string };
  'a handle that somebody has': Called & { readonly handle: string };
  'a handle that is kept': Called;
  'an account signed in twice': Called;

  'an account with a balance': Called;
  'an account on the free plan': Called;
  'a cap beyond the plan': Called;

  'an access key of one’s own': Key;
  'a paused key of one’s own': Key;
  'a revoked key of one’s own': Key;
  'an access key of somebody else': Key;
  'a key that only the service refuses': Called;
  'a revoked key to replace': Key;
  'a key of somebody else to replace': Key;
  'a session of long ago': Called;
  'no slot for one more key': Called;
  'a paused key and no slot for it': Key;
  'keys on several pages': Called;
  'an account without keys': Called;
  'a cursor of another list of keys': Called;

  'usage of a key': UsedKey;
  'usage on several pages': Called;
  'an account without usage': Called;
  'a filter of days that are none': Called;
  'a filter of days in the wrong order': Called;
  'a cursor of another list of usage': Called;
}
