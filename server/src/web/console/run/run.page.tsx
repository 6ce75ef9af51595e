import { createHash } from 'node:crypto';
import { type ChargeSource, sourceNamed } from '../../../access/plans/charge-sources.ts';
import { OPERATIONS, type Operation, type PlanBook } from '../../../access/plans/plans.ts';
import type { Balance } from '../../../billing/ledger/account-buckets.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { type SampleSubjects, sampleOf } from '../../../directory/sample-subjects.ts';
import type { OperationRequest } from '../../../operations/operation-call.ts';
import type { Candidate } from '../../../platform/errors/domain-error.ts';
import type { ScoreBasis } from '../../../scoring/explanations/explain-score.ts';
import { ForeignText, formatCount, toWords } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { Notice } from '../frame/console-document.tsx';
import {
  Field,
  Form,
  FormId,
  isPlainText,
  ProblemList,
  ProblemSummary,
  type Problems,
  readFormId,
  readLine,
} from '../frame/fields.tsx';
import { operationName } from '../frame/filters.tsx';
import { curlCommand } from '../keys/new-key.page.tsx';

/** Metered call, as submitted by the form. */
export interface RunForm {
  operation: Operation;
  subject: string;
  /** Unique id of each rendered form, so that a form sent twice is one call. */
  formId: string;
  /** True if the visitor asked only for the price of the call. */
  priceOnly: boolean;
}

/** Name of the form field that tells which submit button was pressed. */
const ACTION_FIELD = 'do';

/** Maximum length of a subject in characters, the same as in the API's contract. */
const MAX_SUBJECT_LENGTH = 300;

/** Reads the URL's query or a submitted form; an unknown operation is replaced by the first one. */
export function readRunForm(given: URLSearchParams): RunForm {
  return {
    operation: OPERATIONS.find((operation) => operation === given.get('operation')) ?? OPERATIONS[0],
    subject: readLine(given, 'subject'),
    formId: readFormId(given),
    priceOnly: given.get(ACTION_FIELD) === 'price',
  };
}

/** Validates a form without database access. */
export function checkRunForm({ subject }: RunForm): Problems {
  const list = new ProblemList();
  list.require(subject !== '', 'subject', 'Enter what to score: a name, owner/repository, address or id.');
  list.require(
    subject.length <= MAX_SUBJECT_LENGTH && isPlainText(subject),
    'subject',
    `The subject must be 1 to ${MAX_SUBJECT_LENGTH} printable characters.`,
  );
  return list.problems;
}

/**
 * Converts a form to a metered call. The idempotency key is derived from the form's id, operation and subject. So
 * sending the form twice charges once, and a changed form is a new call.
 */
export function toOperationRequest({ operation, subject, formId, priceOnly }: RunForm): OperationRequest {
  const asked = createHash('sha256')
    .update(JSON.stringify([formId, operation, subject]))
    .digest('hex');
  return {
    operation,
    subject,
    channel: 'api',
    idempotencyKey: `console-${asked.slice(0, 32)}`,
    apiKeyId: null,
    dryRun: priceOnly,
  };
}

/** Price of a call, and the balance that would pay for it. */
export interface Quote {
  priceCredits: number;
  source: ChargeSource;
  /** The balance that would remain after the call. */
  balance: Balance;
  subject: ResolvedSubject;
  /** Basis of the subject's current score; null without one. */
  basis: ScoreBasis | null;
}

interface RunViewProps {
  form: RunForm;
  problems: Problems;
  /** Subjects that an ambiguous name may mean; otherwise empty. */
  candidates: readonly Candidate[];
  prices: PlanBook['prices'];
  samples: SampleSubjects;
  quote: Quote | null;
  site: string;
}

/** Renders the form of a call, prices with examples, and the same call as code. */
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
                {curlCommand(site, '"Authorization: Bearer $TRUST_DIRECTORY_API_KEY"', {
                  operation,
                  subject,
                })}
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
      <FormId id={form.formId} />
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
        <button type="submit" class="primary" name={ACTION_FIELD} value="run">
          Run the call
        </button>
        <button type="submit" name={ACTION_FIELD} value="price">
          Check the price
        </button>
      </p>
    </Form>
  );
}

/** Lists the subjects of an ambiguous name; each link fills in the form with an id. */
function Candidates({ operation, candidates }: { operation: string; candidates: readonly Candidate[] }) {
  if (candidates.length === 0) return null;
  return (
    <ul class="rows" aria-label="Subjects of this name">
      {candidates.map(({ canonical_id: id, type, name, repository, public_path: path }) => (
        <li key={id}>
          <div>
            <a href={`/console/run?${new URLSearchParams({ operation, subject: id })}`}>
              <ForeignText>{repository ?? name}</ForeignText>
            </a>{' '}
            <span class="note">
              {toWords(type)}, page{' '}
              <a href={path}>
                <ForeignText>{path}</ForeignText>
              </a>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function QuoteNotice({ quote: { priceCredits, source, balance, subject, basis } }: { quote: Quote }) {
  const leftAfter = balance.included_credits - balance.included_used;
  const { unit, noun } = sourceNamed(source);
  const charge = unit === 'call' ? 1 : priceCredits;
  const price = unit === 'call' ? '1 free call' : `${formatCount(priceCredits)} credits`;
  return (
    <Notice>
      A call on{' '}
      <a href={subject.publicPath}>
        <ForeignText>{subject.repository ?? subject.name}</ForeignText>
      </a>{' '}
      costs <strong>{price}</strong>, paid from {noun}: {formatCount(leftAfter + charge)} of{' '}
      {formatCount(balance.included_credits)} left now, {formatCount(leftAfter)} after the call. Nothing was
      charged.
      <br />
      {basis === null ? 'It has no score yet.' : `Basis of its current score: ${basis.text}.`}
    </Notice>
  );
}

function Examples({ prices, samples }: RunViewProps) {
  return (
    <section class="card" aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      <table>
        <TableHead of={['Operation', ['Credits', 'n']]} />
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
        <ForeignText>{subject}</ForeignText>
      </a>
    </span>
  );
}
