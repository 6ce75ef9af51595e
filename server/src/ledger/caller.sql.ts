import { accountRefused, keyWorks, sessionLives } from '../callers/standing.condition.ts';

/**
 * The account of a caller that may open a run, by the id (`c.caller`) that the look-up gave, with the scope `c.scope`;
 * `c.named` is the key that a session names for attribution. Every condition is read again here, so that what was revoked,
 * paused, ended or suspended since, or ran out, opens nothing.
 */
export const ADMITTED = {
  key: `SELECT k.account_id FROM access_key k JOIN account o ON o.id = k.account_id
    WHERE k.id = c.caller AND ${keyWorks('k')} AND c.scope = ANY (k.scopes) AND NOT ${accountRefused('o')}`,
  session: `SELECT s.account_id FROM session s JOIN account o ON o.id = s.account_id
    WHERE s.id = c.caller AND ${sessionLives('s')} AND NOT ${accountRefused('o')}
      AND (c.named IS NULL OR EXISTS (SELECT 1 FROM access_key n
        WHERE n.id = c.named AND n.account_id = s.account_id AND ${keyWorks('n')} AND c.scope = ANY (n.scopes)))`,
} as const;

/** The columns key_id, session_id and attributed_key_id of a run that such a caller opens. */
export const RUN_CALLER = {
  key: 'pick.caller, NULL::uuid, NULL::uuid',
  session: 'NULL::uuid, pick.caller, pick.named',
} as const;
