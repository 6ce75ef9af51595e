import type { FastifyInstance } from 'fastify';
import { requireAccount } from '../../access/callers/require-account.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { sendFailure } from '../../platform/http/failures/send-failure.ts';
import { acceptForms, securePages } from '../components/send-html.ts';
import {
  registerAgentListPages,
  registerListingStepPages,
  registerRegistrationPages,
} from './agents/agents.route.tsx';
import { registerChildrenPages } from './children/children.route.tsx';
import { consoleFailurePage } from './frame/console-failure-page.tsx';
import type { ConsoleDependencies } from './frame/console-router.ts';
import { createConsoleRouter } from './frame/console-router.ts';
import { registerHandlePages, registerIdentityPages } from './identity/identity.route.tsx';
import { registerKeyPages } from './keys/keys.route.tsx';
import { registerOverviewPages } from './overview/overview.route.tsx';
import { registerPlanPages } from './plan/plan.route.tsx';
import { registerReceiptPages } from './receipts/receipts.route.tsx';
import { registerRunPages } from './run/run.route.tsx';
import { registerSessionPages } from './session/session.route.tsx';
import { registerUsagePages } from './usage/usage.route.tsx';

const SECTIONS = [
  registerOverviewPages,
  registerRunPages,
  registerUsagePages,
  registerReceiptPages,
  registerKeyPages,
  registerAgentListPages,
  registerRegistrationPages,
  registerListingStepPages,
  registerHandlePages,
  registerIdentityPages,
  registerChildrenPages,
  registerPlanPages,
  registerSessionPages,
];

/**
 * Registers the console: everything that the console's JSON API does, as HTML that needs no script. Redirects visitors
 * without a session to the sign-in and back.
 */
export async function registerConsole(app: FastifyInstance, parts: ConsoleDependencies): Promise<void> {
  const { authentication, database, publicUrls } = parts;
  await app.register(async (pages) => {
    securePages(pages, { isPrivate: true });
    acceptForms(pages);
    const inConsole = consoleFailurePage(parts);
    pages.setErrorHandler((thrown, request, reply) => sendFailure(thrown, request, reply, inConsole));
    const router = createConsoleRouter(pages, authentication, publicUrls.site.origin, (accountId) =>
      requireAccount(database, accountId),
    );
    for (const registerSection of SECTIONS) registerSection(router, parts);
    router.get('/console/*', async () => {
      throw new DomainError('not_found', 'The console has no page at this address.');
    });
  });
}
