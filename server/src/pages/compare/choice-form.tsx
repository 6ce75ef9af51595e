import { type Asked, MOST_COMPARED } from './compare-page-data.ts';
import { FIELDS } from './compare-query.ts';

/** Whom to compare: a field each, the ones asked for filled in, with what is wrong beside it. */
export function ChoiceForm({ asked }: { asked: readonly Asked[] }) {
  const fields = FIELDS.slice(0, Math.min(MOST_COMPARED, Math.max(2, asked.length + 1)));
  return (
    <form class="card choice" action="/compare" method="get" aria-labelledby="choice">
      <h2 id="choice">{asked.length === 0 ? 'What to compare' : 'Compare others'}</h2>
      {fields.map((name, place) => (
        <ChoiceField key={name} name={name} place={place + 1} asked={asked[place]} />
      ))}
      <p>
        <button type="submit" class="primary">
          Compare
        </button>
      </p>
    </form>
  );
}

function ChoiceField({ name, place, asked }: { name: string; place: number; asked: Asked | undefined }) {
  const problem = asked?.problem ?? null;
  return (
    <p>
      <label for={`name-${name}`}>{place}. Name, owner/repository, address or id</label>
      <input
        id={`name-${name}`}
        name={name}
        maxLength={300}
        value={asked?.text ?? ''}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `problem-${name}`}
      />
      {problem !== null && (
        <span class="note bad" id={`problem-${name}`}>
          {problem}
        </span>
      )}
    </p>
  );
}
