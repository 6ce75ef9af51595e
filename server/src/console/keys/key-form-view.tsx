import type { Scope } from '../../keys/principal.ts';
import { KEY_SCOPES } from '../../keys/principal.ts';
import { Field, FieldProblem, ProblemSummary, wiringOf } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import type { Problems } from '../frame/problems.ts';
import type { KeyForm } from './key-form.ts';
import { ONE_KEY_FIELD } from './one-key-form.ts';

const MEANINGS: Readonly<Record<Scope, string>> = {
  'scores:read': 'Run the five score operations',
  'lineage:read': 'Run agent_skill_lineage',
  'agents:register': 'Register agents and skills under your handle',
};

interface KeyFormViewProps {
  form: KeyForm;
  problems: Problems;
  oneKeyToken: string;
}

/** A new key: what it is called, what it may do, and until when. */
export function KeyFormView({ form, problems, oneKeyToken }: KeyFormViewProps) {
  return (
    <>
      <h1>Create a key</h1>
      <ProblemSummary problems={problems} />
      <Form action="/console/keys/new" class="card narrow">
        <input type="hidden" name={ONE_KEY_FIELD} value={oneKeyToken} />
        <NameField name={form.name} problems={problems} />
        <Scopes chosen={form.scopes} problems={problems} />
        <ExpiryField
          day={form.expires}
          problems={problems}
          hint="It stops working at the end of that day (UTC). Empty: it does not expire."
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

/** What a key is called. */
export function NameField({ name, problems }: { name: string; problems: Problems }) {
  return (
    <Field name="name" label="Name" hint="For you to tell your keys apart." problems={problems}>
      {(wiring) => <input {...wiring} type="text" value={name} maxLength={100} required autoComplete="off" />}
    </Field>
  );
}

/** The day at whose end a key expires. */
export function ExpiryField({ day, problems, hint }: { day: string; problems: Problems; hint: string }) {
  return (
    <Field name="expires" label="Expires on" optional={true} hint={hint} problems={problems}>
      {(wiring) => <input {...wiring} type="date" value={day} />}
    </Field>
  );
}

function Scopes({ chosen, problems }: { chosen: readonly Scope[]; problems: Problems }) {
  // The error of a group stands at the group, and the cursor goes to its first choice.
  const { autofocus, name, id, ...wiring } = wiringOf('scopes', false, problems);
  return (
    <fieldset class="field" {...wiring}>
      <legend>What it may do</legend>
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
