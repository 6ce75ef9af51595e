import { formatCount } from '../../ui/text.tsx';
import { PAGE_SIZE } from './page-query.ts';

interface PageLinksProps {
  /** Entries before those shown. */
  offset: number;
  shown: number;
  total: number;
  addressOf(offset: number): string;
}

/** Which entries these are, and the way to those before and after; nothing where one page holds all, or where none are shown. */
export function PageLinks({ offset, shown, total, addressOf }: PageLinksProps) {
  const hasNext = shown > 0 && offset + shown < total;
  if (shown === 0 || (offset === 0 && !hasNext)) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && (
        <a class="button" rel="prev" href={addressOf(Math.max(0, offset - PAGE_SIZE))}>
          Previous
        </a>
      )}
      {hasNext && (
        <a class="button" rel="next" href={addressOf(offset + PAGE_SIZE)}>
          Next
        </a>
      )}
      <span class="muted small">
        Page {formatCount(Math.floor(offset / PAGE_SIZE) + 1)} of{' '}
        {formatCount(Math.max(1, Math.ceil(total / PAGE_SIZE)))}
      </span>
    </nav>
  );
}
