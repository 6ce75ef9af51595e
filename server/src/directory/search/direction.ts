/** Conversion that a text asks for, such as from `pdf` to `markdown`. */
export interface Direction {
  from: string;
  to: string;
}

const DIRECTION = /([\p{L}\p{N}]+)\s*(?:\bto\b|\binto\b|->|→|\b2\b)\s*([\p{L}\p{N}]+)/iu;

/** Returns the conversion that a text asks for; null if it asks for none. */
export function directionOf(text: string): Direction | null {
  const [, from, to] = DIRECTION.exec(text) ?? [];
  return from && to ? { from: from.toLowerCase(), to: to.toLowerCase() } : null;
}
