import type { ComponentChildren } from 'preact';
import { formatCount, formatDay, safeHref } from '../../platform/text/display-formats.ts';

export {
  formatCount,
  formatDay,
  formatDays,
  formatPercent,
  formatScore,
  safeHref,
} from '../../platform/text/display-formats.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Shows a time as a day in UTC, with the exact time in `datetime` and on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatDay(at)}
    </time>
  );
}

/** Shows how long ago a time was, with the exact time in `datetime` and on hover. */
export function Age({ at, now }: { at: string; now: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatAge(at, now)}
    </time>
  );
}

/** Formats a number of entries in the directory; with a plus sign if there may be more (`isLowerBound`): "10,000+". */
export function formatTotal(total: number, isLowerBound = false): string {
  return isLowerBound ? `${formatCount(total)}+` : formatCount(total);
}

/** Formats a large number compactly: 142k, 1.2M. */
export function formatCompact(count: number): string {
  return COMPACT.format(count).replace('K', 'k');
}

/** Formats trust outside of tables as a whole number, because decimals of trust are not significant. */
export function formatTrust(trust: number): string {
  return trust.toFixed(0);
}

/** Formats confidence outside of tables as a percentage. */
export function formatConfidence(confidence: number): string {
  return `${confidence.toFixed(0)}%`;
}

/** Isolates a text that we did not write, so that its writing direction cannot reorder the surrounding text. */
export function ForeignText({ children }: { children: ComponentChildren }) {
  return <bdi>{children}</bdi>;
}

/** Links to an external URL; plain text if it is not a web address. */
export function ExternalLink({ href, children }: { href: string | null; children: ComponentChildren }) {
  const safe = safeHref(href);
  if (safe === null) return <ForeignText>{children}</ForeignText>;
  return (
    <a href={safe} rel="nofollow noopener ugc">
      <ForeignText>{children}</ForeignText>
    </a>
  );
}

/** Shows one fact of a `dl`, with the text "not known" if `children` is null. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? <span class="muted">not known</span>}</dd>
    </>
  );
}

/** Splits an identifier into words: `creatorAge` and `creator_age` become `creator age`. */
export function toWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

const DAY_MS = 86_400_000;

/**
 * Returns for how many milliseconds after `now` no `formatAge` text of these times changes, at least; infinity without
 * times.
 */
export function agesStableForMs(moments: readonly string[], now: string): number {
  const left = moments.map((at) => DAY_MS - modulo(Date.parse(now) - Date.parse(at), DAY_MS));
  return Math.min(Number.POSITIVE_INFINITY, ...left);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Formats the time from `at` to `now` in whole days, months or years. */
export function formatAge(at: string, now: string): string {
  const days = Math.max(0, Math.floor((Date.parse(now) - Date.parse(at)) / DAY_MS));
  if (days < 1) return 'today';
  if (days < 61) return days === 1 ? '1 day ago' : `${days} days ago`;
  if (days < 730) return `${Math.floor(days / 30.4)} months ago`;
  return `${Math.floor(days / 365)} years ago`;
}

/** Shows a text to copy, with its name as the heading. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <>
      <h3>{name}</h3>
      <div class="copy" data-copy={name}>
        <pre>{text}</pre>
      </div>
    </>
  );
}

/**
 * Shell code that ends a single-quoted text, inserts a random idempotency key and continues the text, so that a sample
 * call can be run repeatedly, even twice in a second. Uses `od`, because many systems lack `uuidgen` and some shells
 * `$RANDOM`.
 */
export const SHELL_IDEMPOTENCY_KEY = `'$(od -An -N16 -tx1 /dev/urandom | tr -d " \\n")'`;
