import type { FastifyInstance } from 'fastify';
import type { PlanBook } from '../../../access/plans/plans.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { sendHtml } from '../../components/send-html.ts';
import { PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { pricingDocument } from './pricing.page.tsx';

/**
 * Registers the page of plans and prices from the operator's file. It is rendered once, because it is the same for all
 * visitors.
 */
export function registerPricingPage(
  pages: FastifyInstance,
  { planBook, publicUrls }: { planBook: PlanBook; publicUrls: PublicUrls },
): void {
  const document = Buffer.from(pricingDocument(planBook, publicUrls));
  pages.get('/pricing', PUBLIC_ROUTE, async (_request, reply) => sendHtml(reply, document));
}
