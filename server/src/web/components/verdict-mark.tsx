import type { VerdictState } from '../../scoring/verdict/verdict.ts';

const WORDS: Readonly<Record<VerdictState, string>> = {
  verified: 'Verified',
  well_evidenced: 'Well evidenced',
  little_evidence: 'Little evidence',
  warning: 'Warning',
};

/** Shows a verdict's mark and word; the colour only repeats them. With `iconOnly`, only screen readers get the word. */
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
