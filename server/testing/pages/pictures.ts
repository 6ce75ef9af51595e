import { Resvg } from '@resvg/resvg-js';
import { expect } from 'vitest';

/** Texts that an XML reader could take for markup, or refuses altogether; a database may hold each of them. */
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

/** The outermost drawings within a page, each as a document of its own. */
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

/** Fails where an XML reader refuses the picture. */
export function expectDrawable(svg: string): void {
  let refusal: unknown = null;
  try {
    // A height of its own, since some are as large as their place in the page.
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
