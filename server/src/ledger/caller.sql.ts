import { accountRefused, keyWorks, sessionLives } from '../callers/standing.condition.ts';

/**
 * The account of a caller that may open a run, by the id (`$1`) that the look-up gave, with the scope `$2`; `$10` is the
 * key that a session names for attribution. Every condition is read again here, so that what was revoked, paused, ended
 * or suspended since, or ran out, opens nothing.
 */
export const ADMITTED = {
  key: `SELECT k.account_id FROM access_key k JOIN account o ON o.id = k.account_id
    WHERE k.id = $1 AND ${keyWorks('k')} AND $2 = ANY (k.scopes) AND NOT ${accountRefused('o')}`,
  session: `SELECT s.account_id FROM session s JOIN account o ON o.id = s.account_id
    WHERE s.id = $1 AND ${sessionLives('s')} AND NOT ${accountRefused('o')}
      AND ($10::uuid IS NULL OR EXISTS (SELECT 1 FROM access_key n
        WHERE n.id = $10 AND n.account_id = s.account_id AND ${keyWorks('n')} AND $2 = ANY (n.scopes)))`,
} as const;

/** The columns key_id, session_id and attributed_key_id of a run that such a caller opens. */
export const RUN_CALLER = {
  key: '$1::uuid, NULL::uuid, NULL::uuid',
  session: 'NULL::uuid, $1::uuid, $10::uuid',
} as const;
