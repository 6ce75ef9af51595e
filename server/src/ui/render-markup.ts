import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What no XML text may hold: control characters but tab and line ends, halves of characters, two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_XML_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Markup as text, well-formed as XML whatever the texts in it hold: the one way in which pages and pictures are written.
 * The renderer escapes `<`, `&` and `"`. An XML reader refuses a whole picture over `]]>` or a character that XML lacks.
 */
export function renderMarkup(node: VNode): string {
  const markup = renderToString(node).toWellFormed();
  return markup.replace(NO_XML_CHARACTER, '\ufffd').replaceAll(']]>', ']]&gt;');
}
