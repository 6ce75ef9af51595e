/** Where the tiers begin on the lower bound (scoring method, 5.2). */
const TIER_BOUNDS = [30, 50];
const WIDTH = 660;
const MARGIN = 8;

/** Trust and confidence as one line from 0 to 100: the dot is trust, the band reaches from the lower bound as far above. */
export function TrustLine({ trust, lowerBound }: { trust: number; lowerBound: number }) {
  const upper = Math.min(100, 2 * trust - lowerBound);
  const label = `Trust ${trust.toFixed(1)} of 100, at least ${lowerBound.toFixed(1)} with the evidence there is`;
  return (
    <svg class="line" viewBox={`0 0 ${WIDTH} 36`} role="img" aria-label={label}>
      <line class="rail" x1={place(0)} x2={place(100)} y1="12" y2="12" />
      <line
        class="band"
        x1={place(Math.min(lowerBound, trust))}
        x2={place(Math.max(upper, trust))}
        y1="12"
        y2="12"
      />
      <circle class="dot" cx={place(trust)} cy="12" r="6" />
      {[0, ...TIER_BOUNDS, 100].map((bound) => (
        <g key={bound}>
          <line class="tick" x1={place(bound)} x2={place(bound)} y1="20" y2="24" />
          <text
            x={place(bound)}
            y="34"
            text-anchor={bound === 0 ? 'start' : bound === 100 ? 'end' : 'middle'}
          >
            {bound}
          </text>
        </g>
      ))}
    </svg>
  );
}

function place(score: number): string {
  return (MARGIN + ((WIDTH - 2 * MARGIN) * score) / 100).toFixed(1);
}
