import type { CreatedKey, KeySlots } from '../../../access/keys/create-key.ts';
import type { Operation } from '../../../access/plans/plans.ts';
import { loadSampleSubjects, sampleOf } from '../../../directory/sample-subjects.ts';
import { KEY_SCOPES, type Scope } from '../../../platform/http/credentials/principal.ts';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/formatting.tsx';
import { Breadcrumb, Notice } from '../frame/console-document.tsx';
import type { ConsoleDependencies } from '../frame/console-router.ts';
import {
  controlAttributes,
  Field,
  FieldProblem,
  Form,
  ProblemSummary,
  type Problems,
} from '../frame/fields.tsx';
import { type KeyForm, ONE_KEY_FIELD } from './key-form.ts';

const MEANINGS: Readonly<Record<Scope, string>> = {
  'scores:read': 'Score agents, skills, creators, social and messaging accounts.',
  'lineage:read': 'Get the lineage of agents and skills.',
  'agents:register': 'Register agents and skills under your handle.',
  'balance:read': 'Read the balance, the limits and the usage of your account.',
};

interface KeyFormViewProps {
  form: KeyForm;
  problems: Problems;
  slots: KeySlots;
  oneKeyToken: string;
}

/** Renders the form of a new key: name, scopes and expiry. States the plan's limit before anything is typed. */
export function KeyFormView(props: KeyFormViewProps) {
  const { taken, limit } = props.slots;
  const isFull = taken >= limit && props.problems.size === 0;
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Create a key</h1>
      {isFull ? <NoSlot {...props.slots} /> : <NewKeyForm {...props} />}
    </>
  );
}

function NoSlot({ plan, limit }: KeySlots) {
  return (
    <>
      <p class="lead">
        The {plan} plan has {limit === 1 ? 'one active key' : `${limit} active keys`}, and no slot is free.
        Replace, pause or revoke a key to create another.
      </p>
      <p>
        <a class="button" href="/console/keys">
          Go to your keys
        </a>
      </p>
    </>
  );
}

function NewKeyForm({ form, problems, slots, oneKeyToken }: KeyFormViewProps) {
  const free = slots.limit - slots.taken;
  return (
    <>
      {free > 0 && (
        <p class="lead">
          This key uses {free === 1 ? 'the last free slot' : `one of the ${free} free slots`} of the{' '}
          {slots.plan} plan.
        </p>
      )}
      <ProblemSummary problems={problems} />
      <Form action="/console/keys/new" class="card narrow">
        <input type="hidden" name={ONE_KEY_FIELD} value={oneKeyToken} />
        <NameField name={form.name} problems={problems} />
        <Scopes chosen={form.scopes} problems={problems} />
        <ExpiryField
          day={form.expires}
          problems={problems}
          hint="It stops working at the end of that day (UTC). Leave empty for no expiry."
        />
        <p class="row">
          <button type="submit" class="primary">
            Create the key
          </button>
          <a href="/console/keys">Cancel</a>
        </p>
      </Form>
    </>
  );
}

export function NameField({ name, problems }: { name: string; problems: Problems }) {
  return (
    <Field name="name" label="Name" hint="Helps you recognise the key." problems={problems}>
      {(wiring) => <input {...wiring} type="text" value={name} maxLength={100} required autoComplete="off" />}
    </Field>
  );
}

/** Shows the field for the day on which a key expires; the key is valid until the end of that day in UTC. */
export function ExpiryField({ day, problems, hint }: { day: string; problems: Problems; hint: string }) {
  return (
    <Field name="expires" label="Expires on" optional={true} hint={hint} problems={problems}>
      {(wiring) => <input {...wiring} type="date" value={day} />}
    </Field>
  );
}

function Scopes({ chosen, problems }: { chosen: readonly Scope[]; problems: Problems }) {
  // Attach the error to the group, and focus its first choice.
  const { autofocus, name, id, ...wiring } = controlAttributes('scopes', false, problems);
  return (
    <fieldset class="field" {...wiring}>
      <legend>Scopes</legend>
      {KEY_SCOPES.map((scope, index) => (
        <label key={scope} class="choice">
          <input
            type="checkbox"
            name={name}
            value={scope}
            checked={chosen.includes(scope)}
            id={index === 0 ? id : undefined}
            {...(index === 0 && autofocus ? { autofocus } : {})}
          />
          <span>
            <code>{scope}</code>
            <span class="note">{MEANINGS[scope]}</span>
          </span>
        </label>
      ))}
      <FieldProblem name="scopes" problems={problems} />
    </fieldset>
  );
}

interface KeyMadeProps {
  made: CreatedKey;
  name: string;
  site: string;
  /** Operation and subject of the sample call. */
  asked: SampleCall;
}

/** Renders the secret of a new key. It is shown only once. */
export function NewKeySecret({ made, name, site, asked }: KeyMadeProps) {
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Your new key</h1>
      <Notice>
        <strong>Copy the secret now.</strong> It is not stored and cannot be shown again. Anyone who has it
        can spend your credits: keep it out of repositories and logs.
      </Notice>
      <section class="card narrow" aria-labelledby="secret">
        <h2 id="secret">
          Secret of <bdi>{name}</bdi>
        </h2>
        <div class="copy secret" data-copy="the secret">
          <code>{made.secret}</code>
        </div>
        <h3>Try it</h3>
        <div class="copy" data-copy="the call">
          <pre>{curlCommand(site, `'Authorization: Bearer ${made.secret}'`, asked)}</pre>
        </div>
        <p class="row">
          <a class="button primary" href="/console/keys">
            I have stored it
          </a>
        </p>
      </section>
    </>
  );
}

/** Operation and subject of a sample call. */
export interface SampleCall {
  operation: Operation;
  subject: string;
}

/** Chooses an existing subject for the sample call; a placeholder if the directory is empty. */
export async function loadSampleCall({
  database,
  publicUrls,
}: Pick<ConsoleDependencies, 'database' | 'publicUrls'>): Promise<SampleCall> {
  const samples = await loadSampleSubjects(database, publicUrls);
  for (const operation of ['agent_score', 'skill_score'] as const) {
    const subject = sampleOf(operation, samples);
    if (subject !== null) return { operation, subject };
  }
  return { operation: 'agent_score', subject: 'owner/repository' };
}

/**
 * Builds a curl command for a metered call, with a fresh idempotency key. `authorization` is the header, already quoted
 * for the shell.
 */
export function curlCommand(site: string, authorization: string, { operation, subject }: SampleCall): string {
  // A single quote would end the shell's quoted text.
  const text = (value: string) => JSON.stringify(value).replaceAll("'", '\\u0027');
  return [
    `curl ${site}/api/svc/operations/run \\`,
    `  -H ${authorization} \\`,
    `  -H 'Content-Type: application/json' \\`,
    "  -d '{",
    `    "operation": ${text(operation)},`,
    `    "subject": ${text(subject)},`,
    `    "idempotency_key": "${SHELL_IDEMPOTENCY_KEY}"`,
    "  }'",
  ].join('\n');
}
