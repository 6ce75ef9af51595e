/** Announced change that may concern any cached data. */
export const EVERYTHING = '*';

/** Announced change of lists that are sorted by score, and of totals by score. */
export const RANKING = 'ranking';

/** SQLSTATE of the notice with which the triggers of the schema announce a change to the writing session. */
export const CHANGE_CODE = 'TD001';

/** NOTIFY channel on which the same triggers announce the change to all listeners, at the commit. */
export const CHANGE_CHANNEL = 'directory_changed';

/** Splits an announced change into its parts: `*`, `ranking`, or ids of subjects. */
export function partsOf(change: string): string[] {
  return change.split(',');
}
