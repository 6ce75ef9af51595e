const STEPS = ['Register', 'Claim', 'Badge'] as const;

/** The way of a listing from its registration to its badge. */
export type ListingStep = (typeof STEPS)[number];

/** The address of a step of a listing's way; the first has none of its own. */
export function stepPath(agentId: string, step: Exclude<ListingStep, 'Register'>): string {
  return `/console/agents/${agentId}/${step.toLowerCase()}`;
}

interface ListingStepsProps {
  current: ListingStep;
  /** Of the listing, once there is one. */
  agentId: string | null;
  /** Its repository is proved. */
  isClaimed: boolean;
}

/** Where one is on that way, with links to the steps that can be taken in any order once it is registered. */
export function ListingSteps({ current, agentId, isClaimed }: ListingStepsProps) {
  const done: Readonly<Record<ListingStep, boolean>> = {
    Register: agentId !== null,
    Claim: isClaimed,
    Badge: false,
  };
  return (
    <nav class="stages" aria-label={`Step ${STEPS.indexOf(current) + 1} of ${STEPS.length}`}>
      <p class="muted small">
        Step {STEPS.indexOf(current) + 1} of {STEPS.length}
      </p>
      <ol>
        {STEPS.map((step) => (
          <li key={step} class={done[step] ? 'done' : undefined}>
            {step === current ? (
              <span aria-current="step">{step}</span>
            ) : agentId === null || step === 'Register' ? (
              <span>{step}</span>
            ) : (
              <a href={stepPath(agentId, step)}>{step}</a>
            )}
            {done[step] && <span class="hidden"> (done)</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
