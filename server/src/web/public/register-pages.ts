import type { FastifyInstance } from 'fastify';
import type { PlanBook } from '../../access/plans/plans.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Contract } from '../../platform/http/contract/contract.ts';
import { sendFailure } from '../../platform/http/failures/send-failure.ts';
import { registerAssets } from '../components/assets.ts';
import { publicFailurePage } from '../components/failure-page.tsx';
import { once, securePages, sendHtml } from '../components/send-html.ts';
import { registerBadgeRoutes } from './badge/badge.route.ts';
import { registerComparePage } from './compare/compare.route.ts';
import { registerAccountPages, registerCreatorPages } from './creator/creator.route.ts';
import { type PageDependencies, PUBLIC_ROUTE } from './frame/page-dependencies.ts';
import { registerHomePage } from './home/home.route.ts';
import { registerListPage, registerSuggestions } from './list/list.route.ts';
import { registerListingPages } from './listing/listing.route.ts';
import { methodDocument } from './method/method.page.tsx';
import { pricingDocument } from './pricing/pricing.page.tsx';
import { registerDocsPages } from './reference/docs.route.ts';
import { registerSdkDownloads, type SdkPackages } from './sdk/sdk.route.ts';
import { registerCrawlerFiles } from './sitemap/crawler-files.route.ts';

const FEATURES = [
  registerHomePage,
  registerListPage,
  registerComparePage,
  registerMethodPage,
  registerListingPages,
  registerCreatorPages,
  registerAccountPages,
  registerBadgeRoutes,
  registerCrawlerFiles,
  registerSuggestions,
];

/**
 * Dependencies of the public pages. Without `contract` there is no `/docs`, without `planBook` no `/pricing`, and
 * without `sdk` no `/sdk/`.
 */
type PublicPageParts = Pick<PageDependencies, 'publicUrls' | 'synonyms' | 'isRefreshed'> & {
  reads: Connection;
  contract?: Contract;
  planBook?: PlanBook;
  sdk?: SdkPackages;
};

/** Registers the public pages, which never write data. For an unknown subject they return a 404 page. */
export async function registerPages(
  app: FastifyInstance,
  { reads, publicUrls, synonyms, isRefreshed, contract, planBook, sdk }: PublicPageParts,
): Promise<void> {
  await app.register(async (pages) => {
    securePages(pages);
    pages.setErrorHandler((thrown, request, reply) => sendFailure(thrown, request, reply, publicFailurePage));
    // Public pages read through a pool of their own, so that problems of the ledger do not affect them.
    for (const registerFeature of FEATURES) {
      registerFeature(pages, { database: reads, publicUrls, synonyms, isRefreshed });
    }
    if (contract) registerDocsPages(pages, { contract, publicUrls, installLine: sdk?.installLine ?? null });
    if (sdk) registerSdkDownloads(pages, sdk);
    if (planBook) registerPricingPage(pages, { planBook, publicUrls });
    registerAssets(pages);
  });
}

/** Registers the page about the scoring method. */
function registerMethodPage(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  registerConstantPage(pages, '/method', () => methodDocument(publicUrls));
}

/** Registers the page of the plans and prices that the operator's file defines. */
function registerPricingPage(
  pages: FastifyInstance,
  { planBook, publicUrls }: { planBook: PlanBook; publicUrls: PublicUrls },
): void {
  registerConstantPage(pages, '/pricing', () => pricingDocument(planBook, publicUrls));
}

/** Registers a page that is the same for all visitors. The first request renders it; later requests get the same text. */
function registerConstantPage(pages: FastifyInstance, path: string, render: () => string): void {
  const document = once(() => Buffer.from(render()));
  pages.get(path, PUBLIC_ROUTE, async (_request, reply) => sendHtml(reply, document()));
}
