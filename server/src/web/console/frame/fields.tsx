import { randomUUID } from 'node:crypto';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { FORM_TOKEN_FIELD } from '../../../platform/http/credentials/credential.ts';

/**
 * Problems of a submitted form by field name, one sentence each. The key WHOLE_FORM has the problem of the form as a
 * whole.
 */
export type Problems = ReadonlyMap<string, string>;

/** Key of problems with the whole form. */
export const WHOLE_FORM = '';

/** Empty set of problems. */
export const NO_PROBLEMS: Problems = new Map();

/** Collects problems, at most one for each field. */
export class ProblemList {
  readonly problems = new Map<string, string>();

  /** Records a problem of a field unless the condition holds. */
  require(holds: boolean, field: string, sentence: string): void {
    if (!holds && !this.problems.has(field)) this.problems.set(field, sentence);
  }
}

/** Returns a set with one problem. */
export function singleProblem(field: string, sentence: string): Problems {
  return new Map([[field, sentence]]);
}

/** Reads a field of a form as a single trimmed line. */
export function readLine(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Returns true if a text is well-formed and has no control characters, so that it can be stored and shown. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** Context that provides the CSRF token to all forms of the page. */
export const FormToken = createContext('');

interface FormProps {
  /** Path that receives the POST. */
  action: string;
  class?: string;
  children: ComponentChildren;
}

const FORM_ID_FIELD = 'form_id';

const FORM_ID = /^[0-9a-f-]{36}$/;

/** Returns the id of a submitted form, or a new id if it has no valid one. */
export function readFormId(given: URLSearchParams): string {
  const formId = given.get(FORM_ID_FIELD) ?? '';
  return FORM_ID.test(formId) ? formId : randomUUID();
}

/** Renders the hidden field with the form's unique id. If the form is sent twice, both requests have the same id. */
export function FormId({ id }: { id: string }) {
  return <input type="hidden" name={FORM_ID_FIELD} value={id} />;
}

/** Renders a POST form with the CSRF token of the visitor's session. */
export function Form({ action, children, ...rest }: FormProps) {
  return (
    <form action={action} method="post" {...rest}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={useContext(FormToken)} />
      {children}
    </form>
  );
}

/** Shows a form that has no fields and a single button. */
export function ActionButton(props: { action: string; class?: string; label?: string; children: string }) {
  return (
    <Form action={props.action} class="inline">
      <button type="submit" class={props.class} aria-label={props.label}>
        {props.children}
      </button>
    </Form>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  problems: Problems;
  /** Marks the label of an optional field. */
  optional?: boolean;
  children: (wiring: ControlAttributes) => ComponentChildren;
}

/** Attributes that connect a control to its label, hint and error. */
export interface ControlAttributes {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
  autofocus?: true;
}

/** Returns the attributes of a field's control. The first invalid field gets the focus. */
export function controlAttributes(name: string, hasHint: boolean, problems: Problems): ControlAttributes {
  const isWrong = problems.has(name);
  const described = [isWrong && `${name}-error`, hasHint && `${name}-hint`].filter(Boolean).join(' ');
  return {
    id: name,
    name,
    ...(described !== '' && { 'aria-describedby': described }),
    ...(isWrong && { 'aria-invalid': 'true' }),
    ...(firstField(problems) === name && { autofocus: true }),
  };
}

function firstField(problems: Problems): string | undefined {
  return [...problems.keys()].find((name) => name !== WHOLE_FORM);
}

/** Shows a control with its label, hint and error. */
export function Field({ name, label, hint, problems, optional = false, children }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional && <span class="muted"> (optional)</span>}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children(controlAttributes(name, hint !== undefined, problems))}
      <FieldProblem name={name} problems={problems} />
    </div>
  );
}

/** Shows the error of one field. */
export function FieldProblem({ name, problems }: { name: string; problems: Problems }) {
  const problem = problems.get(name);
  if (problem === undefined) return null;
  return (
    <p class="error" id={`${name}-error`}>
      {problem}
    </p>
  );
}

/** Shows all errors above the form, with links to the fields. */
export function ProblemSummary({ problems }: { problems: Problems }) {
  if (problems.size === 0) return null;
  const fields = [...problems.keys()].filter((name) => name !== WHOLE_FORM).length;
  return (
    <div class="notice bad" role="alert">
      {fields > 0 && (
        <p>
          <strong>
            Fix {fields} {fields === 1 ? 'field' : 'fields'}
          </strong>
        </p>
      )}
      <ul>
        {[...problems].map(([name, problem]) => (
          <li key={name}>{name === WHOLE_FORM ? problem : <a href={`#${name}`}>{problem}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
