/** A share of 1 as a bar; null is missing, drawn hatched and said. */
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

/** The hatching of what is missing; once on a page that has meters. */
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
