import { formatCount, formatDay } from '../../ui/text.tsx';
import { addDays } from '../../usage/usage.ts';
import type { UsageByDay } from '../../usage/usage-by-day.ts';

const HEIGHT = 168;
/** Where the most calls and none stand. */
const TOP = 14;
const BOTTOM = 140;

/** One day's calls, of all operations. */
interface DayCalls {
  day: string;
  settled: number;
  /** Under way. */
  held: number;
  failed: number;
}

/** Every day of the stretch, with calls or without. */
export function daysOf({ from, to, days }: UsageByDay): DayCalls[] {
  const calls = new Map<string, DayCalls>();
  for (let day = from; day <= to; day = addDays(day, 1))
    calls.set(day, { day, settled: 0, held: 0, failed: 0 });
  for (const { day, settledCalls, heldCalls, failedCalls } of days) {
    const sum = calls.get(day);
    if (!sum) continue;
    sum.settled += settledCalls;
    sum.held += heldCalls;
    sum.failed += failedCalls;
  }
  return [...calls.values()];
}

/** The least of 1, 2, 5, 10, 20, 50, … that is not less: what the scale ends with. */
export function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((bound) => bound >= count) ?? 10 * power;
}

/** Calls a day as bars: those that were settled below, those that failed, hatched, above. The table beneath is the same. */
export function DayChart({ usage }: { usage: UsageByDay }) {
  const days = daysOf(usage);
  const most = roundUp(Math.max(...days.map(({ settled, held, failed }) => settled + held + failed)));
  const settled = days.reduce((sum, day) => sum + day.settled, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const label = `Calls a day from ${formatDay(usage.from)} to ${formatDay(usage.to)}: ${settled} settled, ${failed} failed`;
  return (
    <svg class="plot days" width="100%" height={HEIGHT} role="img" aria-label={label}>
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
  const tall = (calls: number) => round(((BOTTOM - TOP) * calls) / most);
  const calls = day.settled + day.held;
  const good = tall(calls);
  const bad = tall(day.failed);
  if (good + bad === 0) return null;
  const step = 100 / count;
  const place = { x: `${(step * (index + 0.14)).toFixed(2)}%`, width: `${(step * 0.72).toFixed(2)}%` };
  return (
    <g>
      <title>
        {formatDay(day.day)}: {calls} {calls === 1 ? 'call' : 'calls'}
        {day.failed > 0 && `, ${day.failed} failed`}
      </title>
      {good > 0 && <rect class="meter" rx="2" {...place} y={round(BOTTOM - good)} height={good} />}
      {bad > 0 && <rect class="missing" {...place} y={round(BOTTOM - good - bad)} height={bad} />}
    </g>
  );
}

function round(height: number): number {
  return Math.round(10 * height) / 10;
}
