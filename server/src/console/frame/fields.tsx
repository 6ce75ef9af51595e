import type { ComponentChildren } from 'preact';
import { type Problems, WHOLE } from './problems.ts';

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  problems: Problems;
  /** Said beside the label of a field that may stay empty. */
  optional?: boolean;
  children: (wiring: FieldWiring) => ComponentChildren;
}

/** What ties a control to its label, hint and error. */
export interface FieldWiring {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
  autofocus?: true;
}

/** The attributes of a field's control: the first wrong one of a form is where the cursor goes. */
export function wiringOf(name: string, hasHint: boolean, problems: Problems): FieldWiring {
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
  return [...problems.keys()].find((name) => name !== WHOLE);
}

/** A label, its control, what is to be known of it, and what is wrong with it. */
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
      {children(wiringOf(name, hint !== undefined, problems))}
      <FieldProblem name={name} problems={problems} />
    </div>
  );
}

/** What is wrong with one field. */
export function FieldProblem({ name, problems }: { name: string; problems: Problems }) {
  const problem = problems.get(name);
  if (problem === undefined) return null;
  return (
    <p class="error" id={`${name}-error`}>
      {problem}
    </p>
  );
}

/** Everything that is wrong, on top of the form, with the way to each field. */
export function ProblemSummary({ problems }: { problems: Problems }) {
  if (problems.size === 0) return null;
  const fields = [...problems.keys()].filter((name) => name !== WHOLE).length;
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
          <li key={name}>{name === WHOLE ? problem : <a href={`#${name}`}>{problem}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
