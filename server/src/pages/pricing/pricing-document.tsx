import type { PlanBook } from '../../plans/plans.ts';
import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import { PricingView } from './pricing-view.tsx';

/** Plans and prices. */
export function pricingDocument(planBook: PlanBook, naming: Naming): string {
  const url = absoluteAddress('/pricing', naming);
  const description = 'Reading the directory is free. What a fresh score costs, and what each plan includes.';
  return toDocument(
    <Layout
      title="Plans and prices · Trust Directory"
      canonical={url}
      shared={{ url, description }}
      current="pricing"
    >
      <PricingView planBook={planBook} />
    </Layout>,
  );
}
