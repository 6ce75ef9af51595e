import { InvalidArgumentError } from 'commander';

const LARGEST = 1_000_000_000;

/** Reads a whole number from 1 to a thousand million. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST}.`);
  }
  return value;
}

/** Reads a moment in the future, as ISO 8601 with its zone. */
export function futureMoment(text: string): string {
  const moment = new Date(text);
  if (!/(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime()) || moment.getTime() <= Date.now()) {
    throw new InvalidArgumentError(
      'It must be a moment in the future with its zone, such as 2030-01-31T00:00:00Z.',
    );
  }
  return moment.toISOString();
}
