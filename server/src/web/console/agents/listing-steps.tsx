import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { findOwnAgent } from '../../../directory/own-agents/own-agents.ts';
import type { ConsoleDependencies } from '../frame/console-router.ts';
import { AGENT_ID } from './registration-form.ts';

const STEPS = ['Register', 'Claim', 'Badge'] as const;

/** Step that the owner of a listing takes in the console: registration, claim or badge. */
export type ListingStep = (typeof STEPS)[number];

/** Returns the path of the claim step or the badge step of a listing. The first step is the registration form. */
export function stepPath(agentId: string, step: Exclude<ListingStep, 'Register'>): string {
  return `/console/agents/${agentId}/${step.toLowerCase()}`;
}

interface ListingStepsProps {
  current: ListingStep;
  /** Id of the listing; null before registration. */
  agentId: string | null;
  /** True if the account has proved that it owns the repository. */
  isClaimed: boolean;
}

/**
 * Shows the steps and marks the current one. After the registration, the other steps are links and can be done in any
 * order.
 */
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

/** Finds the account's own listing with this id; null for an invalid id or another account's listing. */
export async function findOwnListing(
  { database, publicUrls }: Pick<ConsoleDependencies, 'database' | 'publicUrls'>,
  accountId: string,
  id: string,
): Promise<ListedAgent | null> {
  if (!AGENT_ID.test(id)) return null;
  const record = await findOwnAgent(database, accountId, id);
  const [listed = null] = await linkAgents(database, record ? [record] : [], publicUrls);
  return listed;
}
