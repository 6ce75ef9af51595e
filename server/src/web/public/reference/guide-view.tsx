import type { ComponentChildren } from 'preact';
import { KEY_SCOPES, type Scope } from '../../../platform/http/credentials/principal.ts';
import { TableHead } from '../../components/layout.tsx';
import { CodeBlock } from './code-block.tsx';
import type { GuideSamples } from './code-samples.ts';
import { AnchoredHeading } from './docs-layout.tsx';
import { endpointPath, type Reference } from './reference.ts';

interface GuideProps {
  reference: Reference;
  samples: GuideSamples;
  /** Command that installs the SDK; null if it would name this server, but the server was built without the SDK. */
  installLine: string | null;
}

/** Renders the guide: what the directory is, and all steps to a first score. */
export function GuideView({ reference, samples, installLine }: GuideProps) {
  return (
    <>
      <h1>Trust Directory for developers</h1>
      <p class="lead muted">
        Ask who made an AI agent or skill, what it is built on and how much of that can be verified. Reading
        is free and needs no key; a fresh score costs a few credits and comes with a receipt.
      </p>
      <Beginning samples={samples} />
      <Retries />
      <Errors />
      <Prices reference={reference} />
      <Tools samples={samples} installLine={installLine} />
      <Endpoints reference={reference} />
    </>
  );
}

/** Describes what a key with each scope allows. */
const ALLOWED: Readonly<Record<Scope, ComponentChildren>> = {
  'scores:read': 'the five score operations',
  'lineage:read': 'the lineage report',
  'agents:register': <a href={endpointPath('registerAgent')}>listing an agent or skill of yours</a>,
  'balance:read': (
    <>
      reading <a href={endpointPath('readBalance')}>what is left</a> and{' '}
      <a href={endpointPath('readUsage')}>what was used</a>
    </>
  ),
};

function Beginning({ samples }: { samples: GuideSamples }) {
  return (
    <>
      <AnchoredHeading id="what">What it is</AnchoredHeading>
      <p>
        Every agent, skill, creator and account has two figures from 0 to 100. <b>Trust</b> says what the
        evidence supports, <b>confidence</b> how much evidence there is. Read them together: a trust of 60
        with a confidence of 11 means that little is known. <a href="/method">How scores are made</a> has
        every weight.
      </p>
      <p>Look up a name, without a key:</p>
      <CodeBlock code={samples.lookup} name="the call" />
      <p>
        You can use a name, <code>owner/repository</code>, a web address, an id, <code>@handle</code> or{' '}
        <code>npm:package</code>. <a href={endpointPath('lookupSubject')}>Every field of the response</a>
      </p>
      <AnchoredHeading id="key">Keys and scopes</AnchoredHeading>
      <p>
        <a href="/console/keys">Create an access key</a> in the console: it begins with <code>svc_live_</code>
        , is shown once and stored only as a hash. Grant it only the scopes that it needs.
      </p>
      <table>
        <TableHead of={['Scope', 'Allows']} />
        <tbody>
          {KEY_SCOPES.map((scope) => (
            <tr key={scope}>
              <th scope="row">
                <code>{scope}</code>
              </th>
              <td>{ALLOWED[scope]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>Store it in the environment, not in code:</p>
      <CodeBlock code="export TRUST_DIRECTORY_API_KEY=svc_live_…" name="the variable" />
      <AnchoredHeading id="first-call">First call</AnchoredHeading>
      <p>
        This scores {samples.subject} and charges one call. <code>idempotency_key</code> identifies this one
        charge: the command makes a new random one each time.
      </p>
      <CodeBlock code={samples.firstCall} name="the first call" />
      <p>
        A retry with the same <code>idempotency_key</code> is not charged again: its answer is the same
        receipt with <code>result: null</code>. With <code>"dry_run": true</code> the answer is the price, and
        nothing runs. <a href={endpointPath('runOperation')}>All six operations</a>
      </p>
    </>
  );
}

function Retries() {
  return (
    <>
      <AnchoredHeading id="retries">Retries and receipts</AnchoredHeading>
      <p>
        Keep the <code>idempotency_key</code> when you retry, take a new one for a new score. You are charged
        at most once per key, whatever fails on the way. Wait up to 50 seconds for an answer.
      </p>
      <table>
        <TableHead of={['Response', 'What to do']} />
        <tbody>
          <tr>
            <th scope="row">none, 500, 502, 503</th>
            <td>send it again with the same key</td>
          </tr>
          <tr>
            <th scope="row">
              429, 409 <code>idempotency_in_progress</code>
            </th>
            <td>
              wait <code>Retry-After</code> seconds, then send it again
            </td>
          </tr>
          <tr>
            <th scope="row">
              409 <code>subject_ambiguous</code>
            </th>
            <td>
              choose a candidate and send its <code>canonical_id</code>
            </td>
          </tr>
          <tr>
            <th scope="row">any other 4xx, 501</th>
            <td>fix the request first</td>
          </tr>
        </tbody>
      </table>
      <p>
        An answer with a <code>ledger_id</code> has a permanent receipt of this id:{' '}
        <a href={endpointPath('getReceipt')}>read one</a> or{' '}
        <a href={endpointPath('listReceipts')}>list them</a>.
      </p>
    </>
  );
}

function Errors() {
  return (
    <>
      <AnchoredHeading id="errors">Errors</AnchoredHeading>
      <p>
        An error has a code for programs and a sentence for people. Under <code>/api/svc/</code> they are{' '}
        <code>code</code> and <code>error</code>; everywhere else <code>error</code> and <code>message</code>.
        Every answer has an <code>X-Request-Id</code>: include it when you contact support.
      </p>
      <p>
        <a href="/docs/errors">Every error code, and what to do about it</a>
      </p>
    </>
  );
}

function Prices({ reference }: { reference: Reference }) {
  const prices = reference.endpoints.flatMap((endpoint) => Object.entries(endpoint.prices ?? {}));
  return (
    <>
      <AnchoredHeading id="prices">Prices</AnchoredHeading>
      <table>
        <TableHead of={['Operation', ['Credits', 'n']]} />
        <tbody>
          {prices.map(([operation, credits]) => (
            <tr key={operation}>
              <th scope="row">
                <code>{operation}</code>
              </th>
              <td class="n">{credits}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Free calls of the month pay first. A call that fails costs nothing.{' '}
        <a href="/pricing">Plans and prices</a>
      </p>
    </>
  );
}

function Tools({ samples, installLine }: Pick<GuideProps, 'samples' | 'installLine'>) {
  return (
    <>
      <AnchoredHeading id="sdk">SDK and command line</AnchoredHeading>
      <p>
        The TypeScript SDK retries as above, keeps the idempotency key of a call over its retries, and has a
        class for each kind of error. It runs on Node 20 and newer, Deno, Bun, edge workers and in browsers.
      </p>
      {installLine && <CodeBlock code={installLine} name="the command" />}
      <CodeBlock code={samples.program} name="the program" />
      <p>The same package has a command line:</p>
      <CodeBlock code={samples.commandLine} name="the command" />
      <AnchoredHeading id="mock">Mock</AnchoredHeading>
      <p>
        Build without a key or credits: the mock answers with the examples on these pages and keeps no data.
        To get another response, send <code>Prefer: code=402</code> or <code>Prefer: example=replay</code>.
      </p>
      <CodeBlock code={samples.mock} name="the commands" />
    </>
  );
}

function Endpoints({ reference }: { reference: Reference }) {
  return (
    <>
      <AnchoredHeading id="endpoints">All endpoints</AnchoredHeading>
      <p>
        One page each, made from <a href="/openapi.yaml">openapi.yaml</a> (for code generators{' '}
        <a href="/openapi.json">openapi.json</a>, for language models <a href="/llms.txt">llms.txt</a>).
      </p>
      {reference.groups.map(({ name, description, endpoints }) => (
        <section key={name}>
          <h3>{name}</h3>
          <p class="muted">{description}</p>
          <ul class="endpoints">
            {endpoints.map(({ operationId, method, path, summary, isWebhook }) => (
              // Anchor that links of older releases use.
              <li key={operationId} id={`operation/${operationId}`}>
                <a href={endpointPath(operationId)}>{summary}</a>
                <code class="note">{isWebhook ? 'called by this service' : `${method} ${path}`}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
