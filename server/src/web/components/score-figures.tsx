import { METHOD } from '../../scoring/embedded/current-method.ts';
import type { Tier } from '../../scoring/scoring-backend.ts';
import { isDefaultScore, type Verdict, type VerdictState } from '../../scoring/verdict/verdict.ts';
import { formatConfidence, formatScore, formatTrust } from './formatting.tsx';

interface Figures {
  trust: number;
  confidence: number;
  /** Verdict; null if the score's facts were not stored. */
  verdict: Pick<Verdict, 'reasons'> | null;
}

/**
 * Text shown instead of trust and confidence if nothing was observed, because they are then only the method's defaults.
 */
export const NOT_ENOUGH_EVIDENCE = 'Not enough evidence';

/** Formats trust and confidence in one line: "Trust 61 · Confidence 48%". Null means no confirmed score. */
export function figuresText(figures: Figures | null): string {
  if (figures === null) return 'No score yet';
  const { trust, confidence, verdict } = figures;
  if (verdict !== null && isDefaultScore(confidence, verdict.reasons)) return NOT_ENOUGH_EVIDENCE;
  return `Trust ${formatTrust(trust)} · Confidence ${formatConfidence(confidence)}`;
}

/** Draws a value from 0 to 1 as a bar; null is hatched and labelled as missing. */
export function Meter({ value }: { value: number | null }) {
  const label = value === null ? 'missing' : `${Math.round(value * 100)} of 100`;
  return (
    <svg class="meter-line" width="100%" height="10" role="img" aria-label={label}>
      <rect class={value === null ? 'missing' : 'meter-bg'} width="100%" height="10" rx="5" />
      {value !== null && value > 0 && (
        <rect class="meter" width={`${(100 * value).toFixed(1)}%`} height="10" rx="5" />
      )}
    </svg>
  );
}

interface PointsBarProps {
  points: number;
  /** Points that the signal's best value would give. */
  possible: number;
  /** Number of points that the full width of the drawing represents. */
  scale: number;
}

/**
 * Draws the trust points that one signal (an observed property of a subject) gives, as a bar within the bar of the
 * points that the signal's best value would give.
 */
export function PointsBar({ points, possible, scale }: PointsBarProps) {
  const width = (of: number) => `${scale > 0 ? Math.min(100, (100 * of) / scale).toFixed(1) : 0}%`;
  // Points are rounded so that they add up to the trust score, so they can exceed `possible` by a rounding step.
  const most = Math.max(points, possible);
  const label = `${formatScore(points)} of at most ${formatScore(most)} points`;
  return (
    <svg class="meter-line" width="100%" height="10" role="img" aria-label={label}>
      <rect class="meter-bg" width={width(possible)} height="10" rx="5" />
      {points > 0 && <rect class="meter" width={width(points)} height="10" rx="5" />}
    </svg>
  );
}

/** Defines the hatching of missing values; needed once on a page with meters. */
export function Hatching() {
  return (
    <svg width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line class="hatch" x1="1" x2="1" y1="0" y2="6" />
        </pattern>
      </defs>
    </svg>
  );
}

/** Shows a score's tier as a word, without a colour. */
export function TierChip({ tier }: { tier: Tier }) {
  return <span class="chip tag">{tier}</span>;
}

interface TrustLineProps {
  trust: number;
  lowerBound: number;
  /** Omits the numbers under the ticks, for lists that show the figures next to the line. */
  compact?: boolean;
}

/** Lower bounds at which tiers begin. */
const TIER_BOUNDS = [METHOD.tiers.medium, METHOD.tiers.high];

const LINE_Y = 12;

/**
 * Draws trust as a dot and its uncertainty as a band on a line from 0 to 100. The band extends equally to both sides of
 * the dot, but not above 100.
 */
export function TrustLine({ trust, lowerBound, compact = false }: TrustLineProps) {
  const upper = upperBound(trust, lowerBound);
  const label = `Trust ${formatTrust(trust)} of 100, likely ${likelyRange(trust, lowerBound)}`;
  return (
    // Use percentages and no view box, so that the numbers keep their size on every screen.
    <svg
      class={compact ? 'line compact' : 'line'}
      width="100%"
      height={compact ? 24 : 46}
      role="img"
      aria-label={label}
    >
      <line class="rail" x1="0%" x2="100%" y1={LINE_Y} y2={LINE_Y} />
      <line
        class="band"
        x1={percentage(Math.min(lowerBound, trust))}
        x2={percentage(Math.max(upper, trust))}
        y1={LINE_Y}
        y2={LINE_Y}
      />
      {[0, ...TIER_BOUNDS, 100].map((bound) => (
        <Tick key={bound} bound={bound} compact={compact} />
      ))}
      <circle class="dot" cx={percentage(trust)} cy={LINE_Y} r="6" />
    </svg>
  );
}

/** Formats the likely range of trust in whole points: "29–93". */
export function likelyRange(trust: number, lowerBound: number): string {
  return `${formatTrust(Math.min(lowerBound, trust))}–${formatTrust(Math.max(trust, upperBound(trust, lowerBound)))}`;
}

/** Returns the upper bound: as far above trust as the lower bound is below it, at most 100. */
function upperBound(trust: number, lowerBound: number): number {
  return Math.min(100, 2 * trust - lowerBound);
}

function Tick({ bound, compact }: { bound: number; compact: boolean }) {
  const at = percentage(bound);
  return (
    <>
      <line class="tick" x1={at} x2={at} y1={LINE_Y + 7} y2={LINE_Y + 11} />
      {!compact && (
        <text x={at} y="40" text-anchor={bound === 0 ? 'start' : bound === 100 ? 'end' : 'middle'}>
          {bound}
        </text>
      )}
    </>
  );
}

function percentage(score: number): string {
  return `${score.toFixed(1)}%`;
}

const WORDS: Readonly<Record<VerdictState, string>> = {
  verified: 'Verified',
  well_evidenced: 'Well evidenced',
  little_evidence: 'Little evidence',
  warning: 'Warning',
};

/**
 * Shows a verdict's mark and word; the colour adds no information. With `iconOnly`, only screen readers get the word.
 */
export function VerdictMark({ state, iconOnly = false }: { state: VerdictState; iconOnly?: boolean }) {
  return (
    <span class={`verdict ${state}`} title={iconOnly ? WORDS[state] : undefined}>
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
        <VerdictShape state={state} />
      </svg>
      {iconOnly ? <span class="hidden">{WORDS[state]}</span> : WORDS[state]}
    </span>
  );
}

export function verdictLabel(state: VerdictState): string {
  return WORDS[state];
}

/** Draws the mark of a verdict, distinct without colours, for a view box of 16 by 16. */
export function VerdictShape({ state }: { state: VerdictState }) {
  if (state === 'warning') return <path d="M8 1.8 15 14.2H1zM8 6v4.2m0 1.3v1.3" />;
  if (state === 'little_evidence') return <circle cx="8" cy="8" r="6.6" stroke-dasharray="2.6 2.6" />;
  const inside =
    state === 'verified' ? (
      // The tick is cut out of the disc.
      <path
        fill="currentColor"
        stroke="none"
        fill-rule="evenodd"
        d="M8 1.4a6.6 6.6 0 0 1 0 13.2a6.6 6.6 0 0 1 0-13.2M4.2 8.2l1.2-1.2 1.8 1.8 3.6-3.6L12 6.4 7.2 11.2z"
      />
    ) : (
      <path fill="currentColor" stroke="none" d="M8 1.4a6.6 6.6 0 0 1 0 13.2z" />
    );
  return (
    <>
      <circle cx="8" cy="8" r="6.6" />
      {inside}
    </>
  );
}
