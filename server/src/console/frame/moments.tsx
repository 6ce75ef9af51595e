import { formatDay } from '../../ui/text.tsx';

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A moment to the minute, in UTC; the exact moment stands in the element for machines and on hover. */
export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatInstant(at)}
    </time>
  );
}

/** A moment as day and minute in UTC, such as `21 Nov 2026, 09:14`. */
function formatInstant(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? formatDay(at) : TIME.format(time);
}
