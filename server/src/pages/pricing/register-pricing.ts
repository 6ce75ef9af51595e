import type { FastifyInstance } from 'fastify';
import type { PlanBook } from '../../plans/plans.ts';
import type { Naming } from '../../subjects/naming.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { PUBLIC } from '../frame/page-parts.ts';
import { pricingDocument } from './pricing-document.tsx';

/** Plans and prices, as the operator's file has them: the same for everybody, so the page is drawn once. */
export function registerPricing(
  pages: FastifyInstance,
  { planBook, naming }: { planBook: PlanBook; naming: Naming },
): void {
  const document = Buffer.from(pricingDocument(planBook, naming));
  pages.get('/pricing', PUBLIC, async (_request, reply) => sendHtml(reply, document));
}
