import { Marked, type Tokens } from 'marked';

const WRITER = new Marked({
  renderer: {
    // A wide table scrolls by itself; what scrolls can be reached by the keyboard.
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const head = token.header.some(({ text }) => text !== '')
        ? `<thead>${row(token.header, 'th')}</thead>`
        : '';
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      const label = `Table: ${token.header.map(({ text }) => text.replaceAll(/[^\p{L}\p{N} _]/gu, '')).join(', ')}`;
      return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>${head}<tbody>${body}</tbody></table></div>`;
    },
  },
});

/** A text of the contract, which is written in Markdown. Its makers are this project's: nobody else's text comes here. */
export function Markdown({ text }: { text: string }) {
  return <div class="said" dangerouslySetInnerHTML={{ __html: WRITER.parse(text, { async: false }) }} />;
}

/** The same within a line. */
export function MarkdownLine({ text }: { text: string }) {
  return <span dangerouslySetInnerHTML={{ __html: WRITER.parseInline(text, { async: false }) }} />;
}

/** A text's first paragraph, and what follows it. */
export function splitLead(text: string): { lead: string; rest: string } {
  const [lead = '', ...rest] = text.trim().split(/\n\n/);
  return { lead, rest: rest.join('\n\n') };
}
