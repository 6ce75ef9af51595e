import { DomainError } from '../../platform/errors/domain-error.ts';

/** A UTC date, such as `2026-11-21`. */
export type Day = string;

/** First and last day, inclusive; null means unbounded. */
export interface Days {
  readonly from: Day | null;
  readonly to: Day | null;
}

const DAY = /^2\d{3}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** Adds days to a date; a negative number subtracts. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Throws invalid_request if a date is invalid, or if the first is after the last. */
export function requireDays({ from, to }: Days): void {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== null && !isDay(day)) {
      throw new DomainError('invalid_request', `${name} is a day of the calendar, written as 2026-11-21.`);
    }
  }
  if (from !== null && to !== null && from > to) {
    throw new DomainError('invalid_request', 'from must not be after to: both days are included.');
  }
}

/** Returns true for a valid date from the year 2000 on. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const moment = Date.parse(`${text}T00:00:00Z`);
  // JavaScript converts, for example, 31 April to 1 May.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}
