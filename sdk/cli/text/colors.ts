const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Style of a text. */
export type Style = keyof typeof CODES;

/** Applies a style to a text; returns it unchanged without colours. */
export type Paint = (style: Style | null, text: string) => string;

/** Settings that determine whether output has colours. */
interface ColourFacts {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if `--no-color` is given. */
  readonly refused: boolean;
}

/**
 * Returns true if output should have colours. The first of these that applies decides: `--no-color` (no), FORCE_COLOR
 * (no if 0 or false), NO_COLOR (no), a terminal that is not dumb (yes).
 */
export function wantsColour({ isTerminal, environment, refused }: ColourFacts): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (refused) return false;
  if (FORCE_COLOR !== undefined) return !/^(0|false)$/.test(FORCE_COLOR);
  return !NO_COLOR && isTerminal && TERM !== 'dumb';
}

/** Creates the function that applies styles; without colours, it returns texts unchanged. */
export function painter(isColoured: boolean): Paint {
  return (style, text) => {
    if (!isColoured || style === null || text === '') return text;
    const [on, off] = CODES[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
