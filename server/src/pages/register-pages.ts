import type { FastifyInstance } from 'fastify';
import type { Connection } from '../database/connect.ts';
import type { Contract } from '../http/contract/contract.ts';
import { answerFailure } from '../http/failures/answer-failure.ts';
import type { PlanBook } from '../plans/plans.ts';
import { registerAssets } from '../ui/assets.ts';
import { securePages } from '../ui/page-headers.ts';
import { registerAccounts } from './account/register-accounts.ts';
import { registerBadges } from './badge/register-badges.ts';
import { registerCompare } from './compare/register-compare.ts';
import { registerCreators } from './creator/register-creators.ts';
import { failureAsPage } from './frame/failure-as-page.ts';
import type { PageParts } from './frame/page-parts.ts';
import { registerHome } from './home/register-home.ts';
import { registerList } from './list/register-list.ts';
import { registerListings } from './listing/register-listings.ts';
import { registerMethod } from './method/register-method.ts';
import { registerPricing } from './pricing/register-pricing.ts';
import { registerDocs } from './reference/register-docs.ts';
import { registerSdk } from './sdk/register-sdk.ts';
import type { SdkPackages } from './sdk/sdk-packages.ts';
import { registerIndex } from './sitemap/register-index.ts';
import { registerSuggest } from './suggest/register-suggest.ts';

const FEATURES = [
  registerHome,
  registerList,
  registerCompare,
  registerMethod,
  registerListings,
  registerCreators,
  registerAccounts,
  registerBadges,
  registerIndex,
  registerSuggest,
];

/** The parts of the public pages, where they read, and what `/docs`, `/pricing` and `/sdk/` show; without it there is no such page. */
type PublicPageParts = Pick<PageParts, 'naming' | 'asked' | 'synonyms'> & {
  reads: Connection;
  contract?: Contract;
  planBook?: PlanBook;
  sdk?: SdkPackages;
};

/** The public pages. They read what is stored and make nothing; an unknown subject is a 404 page. */
export async function registerPages(
  app: FastifyInstance,
  { reads, naming, asked, synonyms, contract, planBook, sdk }: PublicPageParts,
): Promise<void> {
  await app.register(async (pages) => {
    securePages(pages);
    pages.setErrorHandler((thrown, request, reply) => answerFailure(thrown, request, reply, failureAsPage));
    // What everybody may read has sessions of its own.
    for (const registerFeature of FEATURES) {
      registerFeature(pages, { database: reads, naming, asked, synonyms });
    }
    if (contract) registerDocs(pages, { contract, naming, installLine: sdk?.installLine ?? null });
    if (sdk) registerSdk(pages, sdk);
    if (planBook) registerPricing(pages, { planBook, naming });
    registerAssets(pages);
  });
}
