import type { FoundName, Others } from '../../directory/names/find-others.ts';
import { Foreign, toWords } from '../../ui/text.tsx';

/** Creators and artifacts that a search finds beside listings; nothing where there are none. */
export function OtherResults({ others: { creators, artifacts } }: { others: Others }) {
  return (
    <>
      <Group title="Creators" found={creators} />
      <Group title="Inside repositories" found={artifacts} />
    </>
  );
}

function Group({ title, found }: { title: string; found: readonly FoundName[] }) {
  if (found.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul>
        {found.map(({ id, type, name, about, path }) => (
          <li key={id}>
            <a href={path}>
              <Foreign>{name}</Foreign>
            </a>{' '}
            <span class="muted small">
              {toWords(type)} <Foreign>{about}</Foreign>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
