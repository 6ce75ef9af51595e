import type { ComponentChildren } from 'preact';
import { safeHref } from './safe-href.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const COUNT = new Intl.NumberFormat('en-GB');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 2 });

/** A moment as a day in UTC; the exact moment stands in the element for machines and on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatDay(at)}
    </time>
  );
}

/** How long ago a moment was; the exact one stands in the element for machines and on hover. */
export function Age({ at, now }: { at: string; now: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatAge(at, now)}
    </time>
  );
}

/** A whole number with separators. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A large number in short, as people say it: 142k, 1.2M. */
export function formatCompact(count: number): string {
  return COMPACT.format(count).replace('K', 'k');
}

/** A score as the API gives it, one decimal at least. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** Trust outside of tables: to the whole number, since no more of it is sure. */
export function formatTrust(trust: number): string {
  return trust.toFixed(0);
}

/** Confidence outside of tables, as a percentage. */
export function formatConfidence(confidence: number): string {
  return `${confidence.toFixed(0)}%`;
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

/** One fact of a `dl`; null says that it is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? <span class="muted">not known</span>}</dd>
    </>
  );
}

/** A signal's, cap's or relation's name as words: `creatorAge` and `creator_age` are `creator age`. */
export function toWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** A moment as a day in UTC, or the text itself where it is no moment. */
export function formatDay(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : DAY.format(time);
}

/** Returns the days in UTC from the first to the last of these moments: "22 Aug 2026", "20–22 Aug 2026"; null of none. */
export function formatDays(moments: readonly string[]): string | null {
  const times = moments.map((at) => Date.parse(at)).sort((a, b) => a - b);
  const [first] = times;
  const last = times.at(-1);
  return first === undefined || last === undefined ? null : DAY.formatRange(first, last);
}

/** A part of 1 as a percentage. */
export function formatPercent(ratio: number): string {
  return PERCENT.format(ratio);
}

const DAY_MS = 86_400_000;

/** How long after `now` none of these moments has another age than at `now`, as `formatAge` tells it. */
export function agesHoldForMs(moments: readonly string[], now: string): number {
  const left = moments.map((at) => DAY_MS - modulo(Date.parse(now) - Date.parse(at), DAY_MS));
  return Math.min(Number.POSITIVE_INFINITY, ...left);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** How long before `now` something was, in the unit that people use. */
export function formatAge(at: string, now: string): string {
  const days = Math.max(0, Math.floor((Date.parse(now) - Date.parse(at)) / DAY_MS));
  if (days < 1) return 'today';
  if (days < 60) return days === 1 ? '1 day ago' : `${days} days ago`;
  if (days < 730) return `${Math.round(days / 30.4)} months ago`;
  return `${Math.floor(days / 365.25)} years ago`;
}
