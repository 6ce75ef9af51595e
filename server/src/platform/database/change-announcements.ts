/** Announces that any cached data may have changed. */
export const EVERYTHING = '*';

/** Announces that orders and totals by score have changed. */
export const RANKING = 'ranking';

/**
 * SQLSTATE of the notice and name of the channel that the triggers of the schema use to announce changes, to their own
 * session and to all listeners.
 */
export const CHANGE_CODE = 'TD001';

export const CHANGE_CHANNEL = 'directory_changed';

/** Splits an announced change into its parts: `*`, `ranking`, or ids of subjects. */
export function partsOf(change: string): string[] {
  return change.split(',');
}
