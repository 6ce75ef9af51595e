import type { Operation, Plan, PlanBook } from '../../access/plans/plans.ts';
import { formatCount } from './formatting.tsx';
import { TableHead } from './layout.tsx';

const OPERATION_WORDS: Readonly<Record<Operation, string>> = {
  agent_score: 'Score of an agent',
  skill_score: 'Score of a skill',
  creator_score: 'Score of a creator',
  social_account_score: 'Score of a social account',
  messenger_account_score: 'Score of a messaging account',
  agent_skill_lineage: 'Lineage report of an agent or skill',
};

/** Shows what each plan includes in a month. `current` is the visitor's plan, which is marked; null marks none. */
export function PlansTable({ plans, current = null }: Pick<PlanBook, 'plans'> & { current?: string | null }) {
  return (
    <table class={current === null ? undefined : 'plans'}>
      <TableHead
        of={['Plan', ['Free calls', 'n wide-only'], ['Credits', 'n'], ['Overage', 'n'], ['Keys', 'n']]}
      />
      <tbody>
        {Object.entries(plans).map(([name, plan]) => (
          <PlanRow key={name} name={name} plan={plan} isCurrent={name === current} />
        ))}
      </tbody>
    </table>
  );
}

function PlanRow({ name, plan, isCurrent }: { name: string; plan: Plan; isCurrent: boolean }) {
  return (
    <tr class={isCurrent ? 'mine' : undefined}>
      <th scope="row">
        <b>{name}</b>
        {isCurrent && <span class="note">yours</span>}
        <span class="note small-only">{formatCount(plan.freeCalls)} free calls</span>
      </th>
      <td class="n wide-only">{formatCount(plan.freeCalls)}</td>
      <td class="n">{plan.includedCredits === 0 ? '–' : formatCount(plan.includedCredits)}</td>
      <td class="n">{plan.overageCapCredits === null ? '–' : formatCount(plan.overageCapCredits)}</td>
      <td class="n">{formatCount(plan.activeKeys)}</td>
    </tr>
  );
}

/** Shows the price of each operation in credits. */
export function PricesTable({ prices }: Pick<PlanBook, 'prices'>) {
  return (
    <table>
      <TableHead of={['Operation', ['Credits', 'n']]} />
      <tbody>
        {Object.entries(prices).map(([operation, price]) => (
          <tr key={operation}>
            <th scope="row">
              {OPERATION_WORDS[operation as Operation]}
              <code class="note">{operation}</code>
            </th>
            <td class="n">{formatCount(price)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
