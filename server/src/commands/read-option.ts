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

/** Reads a whole number other than 0 between minus and plus a thousand million. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number other than 0, from -${LARGEST} to ${LARGEST}.`);
  }
  return value;
}
