import type { Paint, Style } from './colors.ts';
import { padded, widthOf, wrap } from './width.ts';

/** Width and colours of the output. */
export interface Page {
  /** Columns of the terminal; infinite without one. */
  readonly columns: number;
  readonly paint: Paint;
}

/** Label, value and style of the value. */
export type Field = readonly [label: string, value: string, style?: Style];

const GAP = 2;

/** Formats fields in two columns; long values wrap within their column. */
export function fieldLines(fields: readonly Field[], { columns, paint }: Page): string[] {
  const width = Math.max(0, ...fields.map(([label]) => widthOf(label))) + GAP;
  return fields.flatMap(([label, value, style = null]) =>
    wrap(value, columns - width).map(
      (line, index) => paint('dim', padded(index === 0 ? label : '', width)) + paint(style, line),
    ),
  );
}

/** Formats an indented paragraph. */
export function paragraph(
  text: string,
  { columns, paint }: Page,
  style: Style | null = null,
  indent = 0,
): string[] {
  const margin = ' '.repeat(indent);
  return wrap(text, columns - indent).map((line) => margin + paint(style, line));
}

/** Formats texts side by side, two spaces apart; a text that doesn't fit starts a new indented line. */
export function flow(
  parts: readonly (readonly [text: string, style?: Style])[],
  page: Page,
  indent = 0,
): string[] {
  const margin = ' '.repeat(indent);
  const lines: { text: string; width: number }[] = [];
  for (const [part, style = null] of parts.filter(([text]) => text !== '')) {
    for (const piece of wrap(part, page.columns - indent)) {
      const last = lines.at(-1);
      const width = widthOf(piece);
      if (last && last.width + GAP + width <= page.columns) {
        last.text += ' '.repeat(GAP) + page.paint(style, piece);
        last.width += GAP + width;
      } else lines.push({ text: margin + page.paint(style, piece), width: indent + width });
    }
  }
  return lines.map(({ text }) => text);
}
