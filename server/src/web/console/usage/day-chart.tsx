import { addDays } from '../../../access/plans/days.ts';
import { OPERATIONS, type Operation } from '../../../access/plans/plans.ts';
import type { UsageByDay } from '../../../billing/usage/usage-by-day.ts';
import { formatCount, formatDay } from '../../components/formatting.tsx';
import { operationName } from '../frame/filters.tsx';

const HEIGHT = 168;
/** Vertical coordinates of the upper end of the scale and of its zero line. */
const TOP = 14;
const BOTTOM = 140;

interface DayCalls {
  day: string;
  /** Number of settled calls and calls in progress, by operation. */
  calls: ReadonlyMap<string, number>;
  failed: number;
}

/** Returns the calls of every day of the range, also of days without calls. */
export function fillDays({ from, to, days }: UsageByDay): DayCalls[] {
  const byDay = new Map<string, { calls: Map<string, number>; failed: number }>();
  for (let day = from; day <= to; day = addDays(day, 1)) byDay.set(day, { calls: new Map(), failed: 0 });
  for (const { day, operation, settledCalls, heldCalls, failedCalls } of days) {
    const sum = byDay.get(day);
    if (!sum) continue;
    const calls = settledCalls + heldCalls;
    if (calls > 0) sum.calls.set(operation, (sum.calls.get(operation) ?? 0) + calls);
    sum.failed += failedCalls;
  }
  return [...byDay].map(([day, sum]) => ({ day, ...sum }));
}

/** Rounds up to 1, 2 or 5 times a power of ten, for the end of the scale. */
export function roundUpScale(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((bound) => bound >= count) ?? 10 * power;
}

/** Draws calls per day as stacked bars, one colour per operation, failed calls hatched on top. */
export function DayChart({ usage }: { usage: UsageByDay }) {
  const days = fillDays(usage);
  const most = roundUpScale(Math.max(...days.map((day) => countOf(day) + day.failed)));
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const counts = OPERATIONS.map((operation) => ({
    operation,
    calls: days.reduce((sum, day) => sum + (day.calls.get(operation) ?? 0), 0),
  })).filter(({ calls }) => calls > 0);
  const all = counts.reduce((sum, { calls }) => sum + calls, 0);
  const label = `Calls a day from ${formatDay(usage.from)} to ${formatDay(usage.to)}: ${all} calls, ${failed} failed`;
  return (
    <figure class="days">
      <svg class="plot" width="100%" height={HEIGHT} role="img" aria-label={label}>
        <Grid at={TOP} text={formatCount(most)} />
        <Grid at={BOTTOM} text="0" />
        {days.map((day, index) => (
          <Bar key={day.day} day={day} index={index} count={days.length} most={most} />
        ))}
        <text x="0%" y={HEIGHT - 8}>
          {formatDay(usage.from)}
        </text>
        <text x="100%" y={HEIGHT - 8} text-anchor="end">
          {formatDay(usage.to)}
        </text>
      </svg>
      <figcaption class="row muted small">
        {counts.map(({ operation, calls }) => (
          <Legend key={operation} class={stripeOf(operation)} text={operationName(operation)} count={calls} />
        ))}
        {failed > 0 && <Legend class="missing" text="Failed" count={failed} />}
      </figcaption>
    </figure>
  );
}

function countOf({ calls }: DayCalls): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the CSS classes of an operation's stripe, the same in all charts. */
function stripeOf(operation: string): string {
  return `meter stripe-${OPERATIONS.indexOf(operation as Operation)}`;
}

function Legend({ text, count, ...swatch }: { class: string; text: string; count: number }) {
  return (
    <span>
      <svg class="swatch" width="12" height="12" aria-hidden="true">
        <rect {...swatch} width="12" height="12" rx="2" />
      </svg>
      {text} {formatCount(count)}
    </span>
  );
}

function Grid({ at, text }: { at: number; text: string }) {
  return (
    <>
      <line class="gridline" x1="0%" x2="100%" y1={at} y2={at} />
      <text x="0%" dx="-8" y={at + 4} text-anchor="end">
        {text}
      </text>
    </>
  );
}

interface BarProps {
  day: DayCalls;
  index: number;
  count: number;
  most: number;
}

function Bar({ day, index, count, most }: BarProps) {
  const step = 100 / count;
  const place = { x: `${(step * (index + 0.14)).toFixed(2)}%`, width: `${(step * 0.72).toFixed(2)}%` };
  const stripes = stripesOf(day, (calls) => round(((BOTTOM - TOP) * calls) / most));
  if (stripes.length === 0) return null;
  const calls = countOf(day);
  return (
    <g>
      <title>
        {formatDay(day.day)}: {calls} {calls === 1 ? 'call' : 'calls'}
        {[...day.calls].map(([operation, its]) => `, ${operationName(operation).toLowerCase()} ${its}`)}
        {day.failed > 0 && `, ${day.failed} failed`}
      </title>
      {stripes.map(({ name, ...stripe }) => (
        <rect key={name} class={name} {...place} {...stripe} />
      ))}
    </g>
  );
}

/** Computes the stripes of a day's bar, one per operation with calls, from the bottom up; failed calls come last. */
function stripesOf({ calls, failed }: DayCalls, tall: (calls: number) => number) {
  const parts = OPERATIONS.flatMap((operation) => {
    const count = calls.get(operation) ?? 0;
    return count > 0 ? [{ name: stripeOf(operation), height: tall(count) }] : [];
  });
  if (failed > 0) parts.push({ name: 'missing', height: tall(failed) });
  let top = BOTTOM;
  return parts.map((part) => {
    top = round(top - part.height);
    return { ...part, y: top };
  });
}

function round(height: number): number {
  return Math.round(10 * height) / 10;
}
