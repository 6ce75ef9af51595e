import type { Place } from './search-reference.ts';

/** What a search of the documentation found. */
export function SearchView({ query, found }: { query: string; found: readonly Place[] }) {
  return (
    <>
      <h1>Search the documentation</h1>
      <p class="lead muted" role="status">
        {found.length === 0
          ? `No page contains all words of “${query}”. Try one word, such as “retry” or “limit”.`
          : `${found.length} ${found.length === 1 ? 'place' : 'places'} for “${query}”`}
      </p>
      <ul class="found">
        {found.map(({ kind, title, about, path }) => (
          <li key={path}>
            <a href={path}>{title}</a> <span class="chip tag">{kind}</span>
            {about !== '' && <span class="note">{about.replaceAll('`', '')}</span>}
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs">Back to the guide</a>
      </p>
    </>
  );
}
