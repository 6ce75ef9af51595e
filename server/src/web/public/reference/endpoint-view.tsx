import { Code, CodeTabs, Markdown, MarkdownLine, splitLead } from './code-block.tsx';
import { type CodeSample, formatJson } from './code-samples.ts';
import { AnchoredHeading } from './docs-layout.tsx';
import type { Field } from './list-fields.ts';
import { readerIds } from './name-replacements.ts';
import type { Content, Endpoint, EndpointResponse, Example, Parameter } from './reference.ts';

/** Headers that most responses have; the page does not list them. */
const COMMON_HEADERS = /^(X-Request-Id|X-RateLimit-.*|Cache-Control)$/i;

/** Shows the responses of an endpoint: an overview table, then each with its fields and examples. */
function ResponsesSection({ endpoint: { responses: answers } }: { endpoint: Endpoint }) {
  return (
    <>
      <AnchoredHeading id="answers">Responses</AnchoredHeading>
      <table class="answers">
        <caption class="hidden">Responses by status</caption>
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

function AnswerDetails({ answer: { status, description, headers, content } }: { answer: EndpointResponse }) {
  const isSuccess = status.startsWith('2');
  const special = headers.filter((name) => !COMMON_HEADERS.test(name));
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

/** Shows the examples of a body, folded under their names. */
function Examples({ content, opensFirst = false }: { content: Content; opensFirst?: boolean }) {
  return (
    <>
      {content.examples.map((example, index) => (
        <details key={example.name} open={opensFirst && index === 0}>
          <summary>Example: {titleOf(example)}</summary>
          <Code text={textOf(shortened(example.value))} />
        </details>
      ))}
    </>
  );
}

const titleOf = ({ name, summary }: Example) => summary ?? name.replaceAll('_', ' ');

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : formatJson(value);
}

/** Maximum length of a text in an example response; longer ones, such as signed documents, are cut. */
const MAX_TEXT_LENGTH = 600;

/** Returns a value with its long texts cut. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, 60)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}

/** Returns the text up to the first full stop or colon outside of code, or the whole text if there is none. */
function firstSentence(text: string): string {
  return /^(?:`[^`]*`|[^`])*?[.:](?=\s|$)/.exec(text.trim())?.[0] ?? text;
}

/** Renders the page of one endpoint: purpose, sample call, parameters, body and responses. */
export function EndpointView({ endpoint, samples }: { endpoint: Endpoint; samples: readonly CodeSample[] }) {
  const { lead, rest } = splitLead(endpoint.description);
  return (
    <>
      <p class="crumbs">
        <a href="/docs#endpoints">Endpoints</a> / {endpoint.group}
      </p>
      <h1>{endpoint.summary}</h1>
      <div class="lead muted">
        <Markdown text={lead} />
      </div>
      <Address endpoint={endpoint} />
      {samples.length > 0 && <CodeTabs samples={samples} />}
      <Needs endpoint={endpoint} />
      {rest !== '' && <Markdown text={rest} />}
      <Parameters title="Path parameters" id="path" endpoint={endpoint} place="path" />
      <Parameters title="Query parameters" id="query" endpoint={endpoint} place="query" />
      <Parameters title="Headers" id="headers" endpoint={endpoint} place="header" />
      {endpoint.body && (
        <>
          <AnchoredHeading id="body">Body</AnchoredHeading>
          <FieldsTable fields={endpoint.body.fields} prefix="body" label="Fields of the body" />
          <Examples content={endpoint.body} />
        </>
      )}
      <ResponsesSection endpoint={endpoint} />
    </>
  );
}

function Address({ endpoint: { method, path, isWebhook, prices, schemes, scopes } }: { endpoint: Endpoint }) {
  const credits = Object.values(prices ?? {});
  const needs = isWebhook
    ? 'Called by this service'
    : schemes.includes('accessKey')
      ? ['An access key', ...scopes.map((scope) => ` with ${scope}`)].join('')
      : schemes.includes('session')
        ? 'A signed-in session'
        : 'No key';
  const cost = prices ? ` · ${Math.min(...credits)} to ${Math.max(...credits)} credits` : '';
  return (
    <p class="endpoint">
      <b>{method}</b> <code>{isWebhook ? 'the address in SCORING_URL' : path}</code>
      <span class="muted small">
        {needs}
        {cost}
      </span>
    </p>
  );
}

/** Lists the shell variables that the curl sample reads. */
function Needs({ endpoint }: { endpoint: Endpoint }) {
  const { schemes } = endpoint;
  const needed = [
    ...(schemes.includes('accessKey') ? [['TRUST_DIRECTORY_API_KEY', 'Your access key.'] as const] : []),
    ...(!schemes.includes('accessKey') && schemes.includes('session')
      ? [
          [
            'SESSION',
            'The cookie of your signed-in session: this endpoint is for the console’s own pages.',
          ] as const,
        ]
      : []),
    ...readerIds(endpoint).map(({ variable, meaning }) => [variable, meaning] as const),
  ];
  if (needed.length === 0) return null;
  return (
    <p class="note">
      The curl call reads{' '}
      {needed.map(([name, meaning], index) => (
        <span key={name}>
          {index > 0 && ' '}
          <code>${name}</code>: {meaning}
        </span>
      ))}
    </p>
  );
}

interface ParametersProps {
  title: string;
  id: string;
  endpoint: Endpoint;
  place: Parameter['in'];
}

function Parameters({ title, id, endpoint, place }: ParametersProps) {
  const fields = endpoint.parameters.filter((parameter) => parameter.in === place).map(({ field }) => field);
  if (fields.length === 0) return null;
  return (
    <>
      <AnchoredHeading id={id}>{title}</AnchoredHeading>
      <FieldsTable fields={fields} prefix="parameter" label={title} />
    </>
  );
}

interface FieldsTableProps {
  fields: readonly Field[];
  /** Prefix of the rows' anchors; no anchors without it. */
  prefix?: string;
  label: string;
  /** True for a response, whose optional fields are marked. False for a request, whose required fields are marked. */
  isAnswer?: boolean;
}

/** Shows the fields of a body or the parameters of a call. */
function FieldsTable({ fields, prefix, label, isAnswer = false }: FieldsTableProps) {
  return (
    <table class="params">
      <caption class="hidden">{label}</caption>
      <tbody>
        {fields.map(({ name, type, required, description, limits }) => (
          <tr key={name} id={prefix && `${prefix}-${name}`}>
            <th scope="row">
              <code>{name}</code>
              {required !== isAnswer && <span class="note">{isAnswer ? 'optional' : 'required'}</span>}
            </th>
            <td>
              {description !== '' && <MarkdownLine text={description} />}
              <span class="note">
                <MarkdownLine text={[type, ...limits].join(' · ')} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
