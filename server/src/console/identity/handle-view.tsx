import { Foreign } from '../../ui/text.tsx';
import { Field, ProblemSummary } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import { DoneNotice } from '../frame/notice.tsx';
import type { Problems } from '../frame/problems.ts';

interface HandleViewProps {
  /** Null where none was chosen yet. */
  handle: string | null;
  wanted: string;
  /** The own page that a newcomer was on the way to; null for the console's first one. */
  next: string | null;
  problems: Problems;
  query: URLSearchParams;
}

const DONE = {
  changed: 'The handle is changed. The former one redirects to you until another account takes it.',
};

/** Chooses the creator handle, or another one. */
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
              <Foreign>{handle}</Foreign>
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
