import { formatDay } from '../../components/formatting.tsx';

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Shows a time to the minute, in UTC, with the exact time in `datetime` and on hover. */
export function DateTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatInstant(at)}
    </time>
  );
}

/** Formats a time as day and minute in UTC, such as `21 Nov 2026, 09:14`. */
function formatInstant(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? formatDay(at) : TIME.format(time);
}

/** Shows a link to the parent page. */
export function Breadcrumb({ href, children }: { href: string; children: string }) {
  return (
    <p class="crumbs">
      <a href={href}>{children}</a>
    </p>
  );
}
