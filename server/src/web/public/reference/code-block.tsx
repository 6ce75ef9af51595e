import { Marked, type Tokens } from 'marked';
import type { CodeSample } from './code-samples.ts';

const WRITER = new Marked({
  renderer: {
    // Wrap tables in a scrolling region that the keyboard can focus.
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

/** Renders a Markdown text of the contract. HTML in the text is not escaped, so pass only texts of this project. */
export function Markdown({ text }: { text: string }) {
  return <div class="said" dangerouslySetInnerHTML={{ __html: WRITER.parse(text, { async: false }) }} />;
}

/** Renders inline Markdown of the contract, without paragraphs. Like `Markdown`, it escapes no HTML. */
export function MarkdownLine({ text }: { text: string }) {
  return <span dangerouslySetInnerHTML={{ __html: WRITER.parseInline(text, { async: false }) }} />;
}

/** Splits a text into its first paragraph and the rest. */
export function splitLead(text: string): { lead: string; rest: string } {
  const [lead = '', ...rest] = text.trim().split(/\n\n/);
  return { lead, rest: rest.join('\n\n') };
}

/** Shows code with a copy button. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div class="copy code" data-copy={name}>
      <Code text={code} />
    </div>
  );
}

/** Shows code without escaping quotation marks, which the renderer would write as six characters each. */
export function Code({ text }: { text: string }) {
  const __html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return (
    <pre>
      <code dangerouslySetInnerHTML={{ __html }} />
    </pre>
  );
}

/** Shows a call in several languages, one at a time, without a script. */
export function CodeTabs({ samples }: { samples: readonly CodeSample[] }) {
  return (
    <div class="langs">
      <fieldset>
        <legend class="hidden">Language of the sample</legend>
        {samples.map(({ id, label }, index) => (
          <label key={id}>
            <input type="radio" name="language" value={id} checked={index === 0} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {samples.map(({ id, label, source }) => (
        <div key={id} class={`lang ${id}`}>
          <CodeBlock code={source} name={`the call in ${label}`} />
        </div>
      ))}
    </div>
  );
}
