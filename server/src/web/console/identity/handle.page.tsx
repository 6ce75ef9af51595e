import { ForeignText } from '../../components/formatting.tsx';
import { DoneNotice } from '../frame/console-document.tsx';
import { Field, Form, ProblemSummary, type Problems } from '../frame/fields.tsx';

interface HandleViewProps {
  /** Current handle; null if none was chosen. */
  handle: string | null;
  wanted: string;
  /** Path of the page to continue to after the handle is saved; null for the overview. */
  next: string | null;
  problems: Problems;
  query: URLSearchParams;
}

const DONE = {
  changed: 'The handle is changed. The former one redirects to you until another account takes it.',
};

/** Renders the form that chooses or changes the creator handle. */
export function HandleView({ handle, wanted, next, problems, query }: HandleViewProps) {
  const isFirst = handle === null;
  return (
    <>
      {!isFirst && (
        <p class="crumbs">
          <a href="/console/accounts">Identity</a>
        </p>
      )}
      <h1>{isFirst ? 'Choose your handle' : 'Your handle'}</h1>
      <p class="lead">
        {isFirst ? (
          'You are signed in. Your listings will appear under one name: your creator handle.'
        ) : (
          <>
            You are{' '}
            <strong>
              <ForeignText>{handle}</ForeignText>
            </strong>{' '}
            here.
          </>
        )}
      </p>
      <DoneNotice query={query} sentences={DONE} />
      <ProblemSummary problems={problems} />
      <Form action="/console/handle" class="card narrow">
        {next !== null && <input type="hidden" name="next" value={next} />}
        <Field
          name="handle"
          label={isFirst ? 'Handle' : 'New handle'}
          hint="Letters, digits, dots, hyphens and underscores. To take the name of a repository owner or creator in the directory, prove that account first."
          problems={problems}
        >
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={wanted}
              maxLength={101}
              required
              autoComplete="off"
              autoCapitalize="none"
              spellcheck={false}
            />
          )}
        </Field>
        <p class="row">
          <button type="submit" class="primary">
            {isFirst ? 'Save this handle' : 'Change the handle'}
          </button>
          {isFirst && <a href={next ?? '/console?handle=later'}>Not now</a>}
        </p>
      </Form>
    </>
  );
}
