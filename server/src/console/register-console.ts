import type { FastifyInstance } from 'fastify';
import { requireAccount } from '../accounts/require-account.ts';
import { DomainError } from '../domain-error.ts';
import { answerFailure } from '../http/failures/answer-failure.ts';
import { acceptForms } from '../ui/form-body.ts';
import { securePages } from '../ui/page-headers.ts';
import { registerAgentListPages } from './agents/agent-list-pages.tsx';
import { registerListingStepPages } from './agents/listing-step-pages.tsx';
import { registerRegistrationPages } from './agents/registration-pages.tsx';
import { registerChildrenPages } from './children/children-pages.tsx';
import type { ConsoleParts } from './console-parts.ts';
import { createConsoleRouter } from './frame/console-router.ts';
import { failureInConsole } from './frame/failure-in-console.tsx';
import { registerHandlePages } from './identity/handle-pages.tsx';
import { registerIdentityPages } from './identity/identity-pages.tsx';
import { registerKeyPages } from './keys/key-pages.tsx';
import { registerOverviewPages } from './overview/overview-pages.tsx';
import { registerPlanPages } from './plan/plan-pages.tsx';
import { registerReceiptPages } from './receipts/receipt-pages.tsx';
import { registerRunPages } from './run/run-pages.tsx';
import { registerSessionPages } from './session/session-pages.tsx';
import { registerUsagePages } from './usage/usage-pages.tsx';

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
 * The signed-in pages: all that the console's JSON does, as HTML that needs no script. People who are not signed in are led
 * to the sign-in and back.
 */
export async function registerConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { authentication, database, naming } = parts;
  await app.register(async (pages) => {
    securePages(pages, { isPrivate: true });
    acceptForms(pages);
    const inConsole = failureInConsole(parts);
    pages.setErrorHandler((thrown, request, reply) => answerFailure(thrown, request, reply, inConsole));
    const router = createConsoleRouter(pages, authentication, naming.site.origin, (accountId) =>
      requireAccount(database, accountId),
    );
    for (const registerSection of SECTIONS) registerSection(router, parts);
    router.show('/console/*', async () => {
      throw new DomainError('not_found', 'The console has no page at this address.');
    });
  });
}
