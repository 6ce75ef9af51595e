import type { Paint, Style } from './paint.ts';
import { padded, widthOf, wrap } from './width.ts';

/** What text is laid out with. */
export interface Page {
  /** Columns of the terminal; infinite where there is none. */
  readonly columns: number;
  readonly paint: Paint;
}

/** A label, what belongs to it, and how that is shown. */
export type Field = readonly [label: string, value: string, style?: Style];

const GAP = 2;

/** Labels in one column and values in the next, values continued under themselves. */
export function fieldLines(fields: readonly Field[], { columns, paint }: Page): string[] {
  const width = Math.max(0, ...fields.map(([label]) => widthOf(label))) + GAP;
  return fields.flatMap(([label, value, style = null]) =>
    wrap(value, columns - width).map(
      (line, index) => paint('dim', padded(index === 0 ? label : '', width)) + paint(style, line),
    ),
  );
}

/** A paragraph, indented. */
export function paragraph(
  text: string,
  { columns, paint }: Page,
  style: Style | null = null,
  indent = 0,
): string[] {
  const margin = ' '.repeat(indent);
  return wrap(text, columns - indent).map((line) => margin + paint(style, line));
}

/** Texts side by side with two spaces between; those that no longer fit begin a line, indented. */
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
