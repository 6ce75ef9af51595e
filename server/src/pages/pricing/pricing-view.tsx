import type { Operation, Plan, PlanBook } from '../../plans/plans.ts';
import { Columns } from '../../ui/columns.tsx';
import { formatCount } from '../../ui/text.tsx';

const OPERATION_WORDS: Readonly<Record<Operation, string>> = {
  agent_score: 'Score of an agent',
  skill_score: 'Score of a skill',
  creator_score: 'Score of a creator',
  social_account_score: 'Score of a social account',
  messenger_account_score: 'Score of a messaging account',
  agent_skill_lineage: 'Lineage report of an agent or skill',
};

/** What reading and scoring cost, and what each plan of the operator includes. */
export function PricingView({ planBook: { plans, prices } }: { planBook: PlanBook }) {
  const free = plans.free?.freeCalls ?? 0;
  return (
    <>
      <h1>Plans and prices</h1>
      <p class="lead muted">
        Reading the directory is free and needs no account. A fresh score is a call: the first{' '}
        {formatCount(free)} of each month cost nothing.
      </p>
      <div class="stack narrow">
        <Plans plans={plans} />
        <Prices prices={prices} />
        <Charging />
      </div>
    </>
  );
}

function Plans({ plans }: { plans: PlanBook['plans'] }) {
  return (
    <section class="card" aria-labelledby="plans">
      <h2 id="plans">What a plan includes, each month</h2>
      <table>
        <Columns
          of={['Plan', ['Free calls', 'n wide-only'], ['Credits', 'n'], ['Overage', 'n'], ['Keys', 'n']]}
        />
        <tbody>
          {Object.entries(plans).map(([name, plan]) => (
            <PlanRow key={name} name={name} plan={plan} />
          ))}
        </tbody>
      </table>
      <p class="note">
        Months are calendar months in UTC. Keys: how many may be active at once. Overage is credits beyond the
        plan&apos;s, and only where you allow it, up to a limit that you set.
      </p>
      <p>
        <a class="button primary" href="/console/plan">
          See your plan
        </a>
      </p>
    </section>
  );
}

function PlanRow({ name, plan }: { name: string; plan: Plan }) {
  return (
    <tr>
      <th scope="row">
        <b>{name}</b>
        <span class="note small-only">{formatCount(plan.freeCalls)} free calls</span>
      </th>
      <td class="n wide-only">{formatCount(plan.freeCalls)}</td>
      <td class="n">{plan.includedCredits === 0 ? '–' : formatCount(plan.includedCredits)}</td>
      <td class="n">{plan.overageCapCredits === null ? '–' : formatCount(plan.overageCapCredits)}</td>
      <td class="n">{formatCount(plan.activeKeys)}</td>
    </tr>
  );
}

function Prices({ prices }: { prices: PlanBook['prices'] }) {
  return (
    <section class="card" aria-labelledby="prices">
      <h2 id="prices">What a call costs</h2>
      <table>
        <Columns of={['Operation', ['Credits', 'n']]} />
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
    </section>
  );
}

function Charging() {
  return (
    <section class="card" aria-labelledby="charging">
      <h2 id="charging">How a call is paid</h2>
      <ul class="prose">
        <li>
          By the first of these that can pay all of it: free calls, gifted credits, included credits,
          purchased credits, overage. A free call counts one, whatever it would cost.
        </li>
        <li>A call that fails costs nothing. A call that is sent again with its key is charged once.</li>
        <li>
          Every charge has a receipt, kept for ever. <code>dry_run</code> tells the price without a charge.
        </li>
      </ul>
      <p>
        <a href="/docs#first-call">Make a first call</a>
      </p>
    </section>
  );
}
