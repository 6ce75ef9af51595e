import { AnswersSection, Examples } from './answers-section.tsx';
import { CodeTabs } from './code-block.tsx';
import type { CodeSample } from './code-samples.ts';
import { Anchored } from './docs-frame.tsx';
import { FieldsTable } from './fields-table.tsx';
import { Markdown, splitLead } from './markdown.tsx';
import { ownIds } from './own-ids.ts';
import type { Endpoint, Parameter } from './reference.ts';

/** One endpoint: what it does, a call of it, what it takes, what it answers. */
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
      <Parameters title="In the path" id="path" endpoint={endpoint} place="path" />
      <Parameters title="Query" id="query" endpoint={endpoint} place="query" />
      <Parameters title="Headers" id="headers" endpoint={endpoint} place="header" />
      {endpoint.body && (
        <>
          <Anchored id="body">Body</Anchored>
          <FieldsTable fields={endpoint.body.fields} prefix="body" label="Fields of the body" />
          <Examples content={endpoint.body} />
        </>
      )}
      <AnswersSection endpoint={endpoint} />
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

/** What a sample takes from its reader. */
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
    ...ownIds(endpoint).map(({ variable, meaning }) => [variable, meaning] as const),
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
      <Anchored id={id}>{title}</Anchored>
      <FieldsTable fields={fields} prefix="parameter" label={`${title}: parameters`} />
    </>
  );
}
