/** What decides the next step of an account. */
export interface Standing {
  handle: string | null;
  /** Keys that work now. */
  keys: number;
  /** Some key of these has been used. */
  hasUsedKey: boolean;
  hasCalls: boolean;
  /** An account elsewhere is proved. */
  hasProof: boolean;
  /** A listing of theirs that is not claimed; null for none. */
  unclaimed: { agentId: string; name: string } | null;
  /** What all sources have left of what they gave, and whether some source can pay for the cheapest call. */
  funds: { left: number; total: number; canPay: boolean };
  /** Overage is theirs to allow, and is not. */
  canAllowOverage: boolean;
}

/** One thing to do, and why. */
export interface NextStep {
  id: 'handle' | 'funds' | 'low' | 'key' | 'call' | 'unused' | 'claim' | 'proof';
  isDone: boolean;
  text: string;
  why: string;
  path: string;
}

/** Credits below this share of what was given are low. */
const LOW_SHARE = 0.1;

/**
 * The one place that says what an account does next: what stops its calls first, then the beginner's steps in their order,
 * done ones too, then what would bring more. Nothing else tells a visitor what to do.
 */
export function nextSteps(standing: Standing): NextStep[] {
  return [...fundSteps(standing), ...firstSteps(standing), ...furtherSteps(standing), proofStep(standing)];
}

/** The first that is still to be done; null where nothing is. */
export function nextStep(standing: Standing): NextStep | null {
  return nextSteps(standing).find(({ isDone }) => !isDone) ?? null;
}

function fundSteps({ funds: { left, total, canPay }, canAllowOverage }: Standing): NextStep[] {
  const way = canAllowOverage
    ? { text: 'Allow overage', path: '/console/plan#overage' }
    : { text: 'See what the plans include', path: '/console/plan#plans' };
  const more = canAllowOverage
    ? 'Allow overage, or ask the operator for credits.'
    : 'Ask the operator for credits or another plan.';
  if (!canPay)
    return [
      {
        id: 'funds',
        isDone: false,
        ...way,
        why: `You have no free calls or credits left, so calls are refused. ${more}`,
      },
    ];
  if (left >= total * LOW_SHARE) return [];
  return [
    { id: 'low', isDone: false, ...way, why: `Less than a tenth of your credits and calls is left. ${more}` },
  ];
}

function firstSteps({ handle, keys, hasCalls }: Standing): NextStep[] {
  return [
    {
      id: 'handle',
      isDone: handle !== null,
      text: 'Choose your handle',
      why: 'Your listings appear under it.',
      path: '/console/handle',
    },
    {
      id: 'key',
      isDone: keys > 0,
      text: 'Create an access key',
      why: 'Programs need it to call the API.',
      path: '/console/keys/new',
    },
    {
      id: 'call',
      isDone: hasCalls,
      text: 'Make a first call',
      why: 'Run it here: a free call pays for it.',
      path: '/console/run',
    },
  ];
}

function furtherSteps({ keys, hasUsedKey, hasCalls, unclaimed }: Standing): NextStep[] {
  const steps: NextStep[] = [];
  if (keys > 0 && hasCalls && !hasUsedKey)
    steps.push({
      id: 'unused',
      isDone: false,
      text: 'Call from your program',
      why: 'Your key has not been used yet. The guide has a first call to copy.',
      path: '/docs#first-call',
    });
  if (unclaimed !== null)
    steps.push({
      id: 'claim',
      isDone: false,
      text: `Claim ${unclaimed.name}`,
      why: 'It is listed, but you have not proved that it is yours.',
      path: `/console/agents/${unclaimed.agentId}/claim`,
    });
  return steps;
}

function proofStep({ hasProof }: Standing): NextStep {
  return {
    id: 'proof',
    isDone: hasProof,
    text: 'Prove an account of yours',
    why: 'Agents and skills in its repositories are then verified as yours, and no other account can claim them.',
    path: '/console/accounts',
  };
}
