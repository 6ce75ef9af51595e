import { Resvg } from '@resvg/resvg-js';
import { expect } from 'vitest';

/** Texts that an XML parser could read as markup or reject; a database may contain each of them. */
export const NO_XML_TEXTS = [
  ']]>',
  ']]]>]]>',
  '\ufffe',
  '\uffff',
  '\u0001\u0008\u001f',
  '<![CDATA[ x',
  '<!-- x',
  '<?x ?>',
  '&#0;&#xFFFF;&unknown;',
  '\u0085\u2028\u{1fffe}\u{10ffff}',
] as const;

/** Extracts the outermost SVG drawings of a page, each as a document. */
export function drawingsIn(html: string): string[] {
  const drawings: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, index } of html.matchAll(/<svg[ >]|<\/svg>/g)) {
    const opens = tag !== '</svg>';
    if (opens && depth === 0) start = index;
    depth += opens ? 1 : -1;
    if (!opens && depth === 0) drawings.push(html.slice(start, index + tag.length));
  }
  return drawings.map((svg) => svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'));
}

/** Fails if an XML parser rejects the picture. */
export function expectDrawable(svg: string): void {
  let refusal: unknown = null;
  try {
    // Set a height, because some drawings take theirs from the page.
    new Resvg(
      svg
        .replace(/<svg([^>]*?) width="(?:100%|0)"/, '<svg$1 width="600"')
        .replace(/ height="0"/, ' height="9"'),
      {
        font: { loadSystemFonts: false },
      },
    );
  } catch (error) {
    refusal = error;
  }
  expect([refusal, svg.slice(0, 300)]).toEqual([null, svg.slice(0, 300)]);
}
