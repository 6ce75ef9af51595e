import type { VerdictState } from '../scoring/verdict/verdict.ts';

const WORDS: Readonly<Record<VerdictState, string>> = {
  verified: 'Verified',
  well_evidenced: 'Well evidenced',
  little_evidence: 'Little evidence',
  warning: 'Warning',
};

/** A verdict's state as a word, its mark before it; the colour only repeats it. `alone`: the word is for readers alone. */
export function VerdictMark({ state, alone = false }: { state: VerdictState; alone?: boolean }) {
  return (
    <span class={`verdict ${state}`} title={alone ? WORDS[state] : undefined}>
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
        <VerdictShape state={state} />
      </svg>
      {alone ? <span class="hidden">{WORDS[state]}</span> : WORDS[state]}
    </span>
  );
}

/** A verdict's state as a word. */
export function verdictWord(state: VerdictState): string {
  return WORDS[state];
}

/** Filled with a tick, half filled, dashed, a triangle: told apart without a colour. For a view box of 16 by 16. */
export function VerdictShape({ state }: { state: VerdictState }) {
  if (state === 'warning') return <path d="M8 1.8 15 14.2H1zM8 6v4.2m0 1.3v1.3" />;
  if (state === 'little_evidence') return <circle cx="8" cy="8" r="6.6" stroke-dasharray="2.6 2.6" />;
  const inside =
    state === 'verified' ? (
      // One outline with the tick left out of it.
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
