/** Nothing that is shown may be taken for unchanged. */
export const EVERYTHING = '*';
/** Orders and totals by score. */
export const RANKING = 'ranking';
/** What the triggers of migration 0023 announce under, to their own session and to all that listen. */
export const CHANGE_CODE = 'TD001';
export const CHANGE_CHANNEL = 'directory_changed';

/** The parts of an announced change: `*`, `ranking`, ids of subjects. */
export function partsOf(change: string): string[] {
  return change.split(',');
}
