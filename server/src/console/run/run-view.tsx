import { type SampleSubjects, sampleOf } from '../../directory/sample-subjects.ts';
import type { Candidate } from '../../domain-error.ts';
import type { Balance, ChargeSource } from '../../ledger/balance.ts';
import { OPERATIONS, type PlanBook } from '../../plans/plans.ts';
import type { ScoreBasis } from '../../scoring/verdict/score-basis.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { Columns } from '../../ui/columns.tsx';
import { Foreign, formatCount, toWords } from '../../ui/text.tsx';
import { Field, ProblemSummary } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import { Notice } from '../frame/notice.tsx';
import { operationName } from '../frame/operation-filter.tsx';
import type { Problems } from '../frame/problems.ts';
import { SOURCE_NAMES } from '../frame/source-words.ts';
import { firstCall } from '../keys/first-call.ts';
import { DO_FIELD, type RunForm } from './run-form.ts';

/** What a call would cost, and what would pay it. */
export interface Quote {
  priceCredits: number;
  source: ChargeSource;
  balance: Balance;
  subject: ResolvedSubject;
  /** What the subject's present score rests on; null without one. */
  basis: ScoreBasis | null;
}

interface RunViewProps {
  form: RunForm;
  problems: Problems;
  /** The subjects that the name may mean; empty unless it is ambiguous. */
  candidates: readonly Candidate[];
  prices: PlanBook['prices'];
  samples: SampleSubjects;
  quote: Quote | null;
  site: string;
}

/** A call to fill in and send, what each operation costs, and the same call for a program. */
export function RunView(props: RunViewProps) {
  const { form, problems, quote, site } = props;
  const { operation, subject } = form;
  return (
    <>
      <h1>Try a call</h1>
      <p class="lead">Runs one operation. It is charged like a call with a key, and creates a receipt.</p>
      <ProblemSummary problems={problems} />
      {quote !== null && <QuoteNotice quote={quote} />}
      <div class="grid">
        <div class="stack">
          <CallForm {...props} />
          <section class="card" aria-labelledby="as-code">
            <h2 id="as-code">Same call from code</h2>
            <div class="copy" data-copy="the curl call">
              <pre>
                {firstCall(site, '"Authorization: Bearer $TRUST_DIRECTORY_API_KEY"', { operation, subject })}
              </pre>
            </div>
          </section>
        </div>
        <div class="stack">
          <Examples {...props} />
        </div>
      </div>
    </>
  );
}

function CallForm({ form, problems, candidates }: RunViewProps) {
  return (
    <Form action="/console/run" class="card">
      <input type="hidden" name="form_id" value={form.formId} />
      <Field name="operation" label="Operation" problems={problems}>
        {(wiring) => (
          <select {...wiring}>
            {OPERATIONS.map((operation) => (
              <option key={operation} value={operation} selected={operation === form.operation}>
                {operationName(operation)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="subject"
        label="Subject"
        hint="Name, owner/repository, address, handle or id."
        problems={problems}
      >
        {(wiring) => <input {...wiring} value={form.subject} maxLength={300} required={true} />}
      </Field>
      <Candidates operation={form.operation} candidates={candidates} />
      <p class="row">
        <button type="submit" class="primary" name={DO_FIELD} value="run">
          Run the call
        </button>
        <button type="submit" name={DO_FIELD} value="price">
          Check the price
        </button>
      </p>
    </Form>
  );
}

/** Lists the subjects of an ambiguous name: each link fills the form in with the id of one. */
function Candidates({ operation, candidates }: { operation: string; candidates: readonly Candidate[] }) {
  if (candidates.length === 0) return null;
  return (
    <ul class="rows" aria-label="Subjects of this name">
      {candidates.map(({ canonical_id: id, type, name, repository, public_path: path }) => (
        <li key={id}>
          <div>
            <a href={`/console/run?${new URLSearchParams({ operation, subject: id })}`}>
              <Foreign>{repository ?? name}</Foreign>
            </a>{' '}
            <span class="note">
              {toWords(type)}, page{' '}
              <a href={path}>
                <Foreign>{path}</Foreign>
              </a>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function QuoteNotice({ quote: { priceCredits, source, balance, subject, basis } }: { quote: Quote }) {
  const left = balance.included_credits - balance.included_used;
  const price = source === 'free' ? '1 free call' : `${formatCount(priceCredits)} credits`;
  return (
    <Notice>
      A call on{' '}
      <a href={subject.publicPath}>
        <Foreign>{subject.repository ?? subject.name}</Foreign>
      </a>{' '}
      costs <strong>{price}</strong>, paid from {SOURCE_NAMES[source].toLowerCase()}:{' '}
      {formatCount(balance.included_credits)} in all, {formatCount(left)} left. Nothing was charged.
      <br />
      {basis === null ? 'It has no score yet.' : `What its score rests on now: ${basis.text}.`}
    </Notice>
  );
}

function Examples({ prices, samples }: RunViewProps) {
  return (
    <section class="card" aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      <table>
        <Columns of={['Operation', ['Credits', 'n']]} />
        <tbody>
          {OPERATIONS.map((operation) => (
            <tr key={operation}>
              <th scope="row">
                {operationName(operation)}
                <Example operation={operation} subject={sampleOf(operation, samples)} />
              </th>
              <td class="n">{formatCount(prices[operation])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">A free call covers any operation.</p>
    </section>
  );
}

function Example({ operation, subject }: { operation: string; subject: string | null }) {
  if (subject === null) return <span class="note">no example listed yet</span>;
  return (
    <span class="note">
      <a href={`/console/run?${new URLSearchParams({ operation, subject })}`}>
        <Foreign>{subject}</Foreign>
      </a>
    </span>
  );
}
