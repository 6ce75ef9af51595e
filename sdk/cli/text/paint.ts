const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** How a text is shown. */
export type Style = keyof typeof CODES;

/** Shows a text in a style, or leaves it alone where there are no colours. */
export type Paint = (style: Style | null, text: string) => string;

/** What decides about colours. */
interface ColourFacts {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The option `--no-color`. */
  readonly refused: boolean;
}

/**
 * Whether to colour: not where it was refused; else as FORCE_COLOR says (0 and false are a no); else not where NO_COLOR is
 * set; else on a terminal that isn't dumb.
 */
export function wantsColour({ isTerminal, environment, refused }: ColourFacts): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (refused) return false;
  if (FORCE_COLOR !== undefined) return !/^(0|false)$/.test(FORCE_COLOR);
  return !NO_COLOR && isTerminal && TERM !== 'dumb';
}

/** Binds painting to the decision. */
export function painter(isColoured: boolean): Paint {
  return (style, text) => {
    if (!isColoured || style === null || text === '') return text;
    const [on, off] = CODES[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
