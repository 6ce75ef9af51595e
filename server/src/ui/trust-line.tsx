import { METHOD } from '../scoring/embedded/rs-1.0.0.ts';
import { formatTrust } from './text.tsx';

interface TrustLineProps {
  trust: number;
  lowerBound: number;
  /** Without figures under the ticks: for lists, where the figures stand beside. */
  compact?: boolean;
}

/** Where tiers begin on the lower bound. */
const BOUNDS = [METHOD.tiers.medium, METHOD.tiers.high];
const MIDDLE = 12;

/** Trust and confidence as one line from 0 to 100: the dot is trust, the band reaches from the lower bound as far above. */
export function TrustLine({ trust, lowerBound, compact = false }: TrustLineProps) {
  const upper = upperBound(trust, lowerBound);
  const label = `Trust ${formatTrust(trust)} of 100, likely ${likelyRange(trust, lowerBound)}`;
  return (
    // Shares of the width and no view box: the figures keep their size on every screen.
    <svg
      class={compact ? 'line compact' : 'line'}
      width="100%"
      height={compact ? 24 : 46}
      role="img"
      aria-label={label}
    >
      <line class="rail" x1="0%" x2="100%" y1={MIDDLE} y2={MIDDLE} />
      <line
        class="band"
        x1={share(Math.min(lowerBound, trust))}
        x2={share(Math.max(upper, trust))}
        y1={MIDDLE}
        y2={MIDDLE}
      />
      {[0, ...BOUNDS, 100].map((bound) => (
        <Tick key={bound} bound={bound} compact={compact} />
      ))}
      <circle class="dot" cx={share(trust)} cy={MIDDLE} r="6" />
    </svg>
  );
}

/** Where trust may well be with the evidence there is, in whole points: "29–93". */
export function likelyRange(trust: number, lowerBound: number): string {
  return `${formatTrust(Math.min(lowerBound, trust))}–${formatTrust(Math.max(trust, upperBound(trust, lowerBound)))}`;
}

/** As far above trust as the lower bound is below it. */
function upperBound(trust: number, lowerBound: number): number {
  return Math.min(100, 2 * trust - lowerBound);
}

function Tick({ bound, compact }: { bound: number; compact: boolean }) {
  const at = share(bound);
  return (
    <>
      <line class="tick" x1={at} x2={at} y1={MIDDLE + 7} y2={MIDDLE + 11} />
      {!compact && (
        <text x={at} y="40" text-anchor={bound === 0 ? 'start' : bound === 100 ? 'end' : 'middle'}>
          {bound}
        </text>
      )}
    </>
  );
}

function share(score: number): string {
  return `${score.toFixed(1)}%`;
}
