/** A way on, by its address; null where there is none. */
interface Way {
  text: string;
  href: string | null;
}

/** The ways back to the first page and on to the next one; nothing where one page holds all. */
export function CursorLinks({ first, next }: { first: Way; next: Way }) {
  if (first.href === null && next.href === null) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {first.href !== null && (
        <a class="button" href={first.href}>
          {first.text}
        </a>
      )}
      {next.href !== null && (
        <a class="button" rel="next" href={next.href}>
          {next.text}
        </a>
      )}
    </nav>
  );
}
