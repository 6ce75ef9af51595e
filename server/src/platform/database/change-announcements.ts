/** Change that may concern any cached data. */
export const EVERYTHING = '*';

/** Change of orders and totals by score. */
export const RANKING = 'ranking';

/**
 * SQLSTATE of the notice and name of the channel with which the triggers of the schema announce changes. The notice
 * goes to the writing session, the channel to all listeners.
 */
export const CHANGE_CODE = 'TD001';

export const CHANGE_CHANNEL = 'directory_changed';

/** Splits an announced change into its parts: `*`, `ranking`, or ids of subjects. */
export function partsOf(change: string): string[] {
  return change.split(',');
}
