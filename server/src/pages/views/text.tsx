import type { ComponentChildren } from 'preact';
import { safeHref } from '../safe-href.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const COUNT = new Intl.NumberFormat('en-GB');

/** A moment as a day in UTC; the exact moment stands in the element for machines and on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {DAY.format(new Date(at))}
    </time>
  );
}

/** A whole number with separators. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A score as the API gives it, one decimal at least. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** A text that somebody else wrote, kept from reordering what stands beside it. */
export function Foreign({ children }: { children: ComponentChildren }) {
  return <bdi>{children}</bdi>;
}

/** A link to somebody else's address; plain text where it is no web address. */
export function OutsideLink({ href, children }: { href: string | null; children: ComponentChildren }) {
  const safe = safeHref(href);
  if (safe === null) return <Foreign>{children}</Foreign>;
  return (
    <a href={safe} rel="nofollow noopener ugc">
      <Foreign>{children}</Foreign>
    </a>
  );
}
