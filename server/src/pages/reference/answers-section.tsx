import { Code } from './code-block.tsx';
import { Anchored } from './docs-frame.tsx';
import { FieldsTable } from './fields-table.tsx';
import { layOutJson } from './lay-out-json.ts';
import { Markdown, MarkdownLine } from './markdown.tsx';
import type { Answer, Content, Endpoint, Example } from './reference.ts';

/** Headers of every answer. */
const USUAL = /^(X-Request-Id|X-RateLimit-.*|Cache-Control)$/i;

/** Every answer of an endpoint: a table to see them all, then each with what it holds and every example. */
export function AnswersSection({ endpoint: { answers } }: { endpoint: Endpoint }) {
  return (
    <>
      <Anchored id="answers">Answers</Anchored>
      <table class="answers">
        <caption class="hidden">Answers by status</caption>
        <tbody>
          {answers.map(({ status, description, codes }) => (
            <tr key={status}>
              <th scope="row">
                <a href={`#answer-${status}`}>{status}</a>
              </th>
              <td>
                <MarkdownLine text={firstSentence(description)} />
                <Codes codes={codes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {answers.map((answer) => (
        <AnswerDetails key={answer.status} answer={answer} />
      ))}
    </>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <span class="note">
      {codes.map((code, index) => (
        <span key={code}>
          {index > 0 && ' · '}
          <a href={`/docs/errors#${code}`}>
            <code>{code}</code>
          </a>
        </span>
      ))}
    </span>
  );
}

function AnswerDetails({ answer: { status, description, headers, content } }: { answer: Answer }) {
  const isSuccess = status.startsWith('2');
  const special = headers.filter((name) => !USUAL.test(name));
  return (
    <section id={`answer-${status}`}>
      <h3>
        <a class="anchor" href={`#answer-${status}`}>
          {status}
        </a>
      </h3>
      <Markdown text={description} />
      {special.length > 0 && (
        <p class="note">
          Headers: {special.map((name, index) => [index > 0 && ', ', <code key={name}>{name}</code>])}
        </p>
      )}
      {content && isSuccess && content.fields.length > 0 && (
        <details>
          <summary>Every field of {status}</summary>
          <FieldsTable fields={content.fields} label={`Fields of ${status}`} isAnswer={true} />
        </details>
      )}
      {content && <Examples content={content} opensFirst={status === '200' || status === '201'} />}
    </section>
  );
}

/** Every example of a body, by its name. */
export function Examples({ content, opensFirst = false }: { content: Content; opensFirst?: boolean }) {
  return (
    <>
      {content.examples.map((example, index) => (
        <details key={example.name} open={opensFirst && index === 0}>
          <summary>Example: {titleOf(example)}</summary>
          <Code text={textOf(example.value)} />
        </details>
      ))}
    </>
  );
}

const titleOf = ({ name, summary }: Example) => summary ?? name.replaceAll('_', ' ');

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : layOutJson(value);
}

/** Up to a full stop or colon that is not inside of code. */
function firstSentence(text: string): string {
  return /^(?:`[^`]*`|[^`])*?[.:](?=\s|$)/.exec(text.trim())?.[0] ?? text;
}
