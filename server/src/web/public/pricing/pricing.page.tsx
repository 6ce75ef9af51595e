import { PAYMENT_ORDER } from '../../../access/plans/charge-sources.ts';
import type { PlanBook } from '../../../access/plans/plans.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { formatCount } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { PlansTable, PricesTable } from '../../components/price-tables.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';

/** Renders the HTML document of plans and prices. */
export function pricingDocument(planBook: PlanBook, publicUrls: PublicUrls): string {
  const url = absoluteUrl('/pricing', publicUrls);
  const description = 'Reading the directory is free. What a fresh score costs, and what each plan includes.';
  return renderDocument(
    <Layout
      title="Plans and prices · Trust Directory"
      canonical={url}
      openGraph={{ url, description }}
      current="pricing"
    >
      <PricingView planBook={planBook} />
    </Layout>,
  );
}

function PricingView({ planBook: { plans, prices } }: { planBook: PlanBook }) {
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
      <PlansTable plans={plans} />
      <p class="note">
        Months are calendar months in UTC. Keys is the maximum number of active keys. Overage is credits
        beyond the plan&apos;s. It is off until you allow it, up to a limit that you set.
      </p>
      <p>
        <a class="button primary" href="/console/plan">
          See your plan
        </a>
      </p>
    </section>
  );
}

function Prices({ prices }: { prices: PlanBook['prices'] }) {
  return (
    <section class="card" aria-labelledby="prices">
      <h2 id="prices">What a call costs</h2>
      <PricesTable prices={prices} />
    </section>
  );
}

function Charging() {
  return (
    <section class="card" aria-labelledby="charging">
      <h2 id="charging">How a call is paid</h2>
      <ul class="prose">
        <li>
          From the first balance that covers the whole price, in this order: {PAYMENT_ORDER}. A free call
          covers any operation.
        </li>
        <li>A call that fails costs nothing. A retry with the same idempotency key is not charged again.</li>
        <li>
          Every charge has a permanent receipt. <code>dry_run</code> returns the price without a charge.
        </li>
      </ul>
      <p>
        <a href="/docs#first-call">Make a first call</a>
      </p>
    </section>
  );
}
