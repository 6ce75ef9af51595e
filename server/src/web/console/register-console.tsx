import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAccount } from '../../access/callers/require-account.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  formToken,
  presentedCredential,
  sessionCookieName,
} from '../../platform/http/credentials/credential.ts';
import { type FailureFormat, sendFailure } from '../../platform/http/failures/send-failure.ts';
import { addressKey } from '../../platform/http/limits/limit-requests.ts';
import { problemDocument } from '../components/failure-page.tsx';
import { acceptForms, HTML, securePages } from '../components/send-html.ts';
import {
  registerAgentListPages,
  registerListingStepPages,
  registerRegistrationPages,
} from './agents/agents.route.tsx';
import { registerChildrenPages } from './children/children.route.tsx';
import { consoleDocument, type Page } from './frame/console-document.tsx';
import { type ConsoleDependencies, createConsoleRouter } from './frame/console-router.ts';
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
 * Registers the pages of the console, as HTML that needs no script. Redirects visitors without a session to the
 * sign-in, which leads back to the requested page.
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

/** Returns the path of the sign-in that leads back to the page `next` afterwards. */
function signInPath(next: string): string {
  return `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Shows failures of the console. Redirects visitors without a valid session to the sign-in, which leads back to the
 * requested page. Counts an invalid session cookie against the rate limit of the client's address. Signed-in visitors
 * see the failure in the console's layout, but server errors (5xx) in the layout of public pages.
 */
export function consoleFailurePage({
  rateLimits,
  publicUrls,
}: Pick<ConsoleDependencies, 'rateLimits' | 'publicUrls'>): FailureFormat {
  const cookieName = sessionCookieName(publicUrls.site.origin);
  return {
    show({ error, request, words }) {
      if (error.code === 'unauthorized') return { redirectTo: signInPath(pageOf(request)) };
      const { credential, principal } = request;
      const isSignedIn = principal !== null && credential !== null;
      if (!isSignedIn || error.status === 401 || error.status >= 500) {
        return { type: HTML, body: problemDocument(error, { text: words }) };
      }
      return { type: HTML, body: consoleDocument(problemPage(error, request), formToken(credential), null) };
    },
    async countFailedCredential({ error, request }, reply) {
      if (error.code !== 'unauthorized' || !presentedCredential(request, ['session'], cookieName)) return;
      await rateLimits.countFailedCredential(addressKey(request), reply);
    },
  };
}

/**
 * Returns the path of the requested page; for a submitted form, the path of the page that contains it, with the
 * parameters of the request's path.
 */
function pageOf(request: FastifyRequest): string {
  const { formPage } = request.routeOptions.config;
  if (formPage === undefined) return request.url;
  const params: Readonly<Record<string, unknown>> = { ...(request.params ?? {}) };
  return formPage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${params[name] ?? ''}`));
}

const TITLES: Readonly<Record<number, string>> = { 404: 'Not found', 409: 'Conflict' };

/** Builds a page with the error's message and a link to continue. */
function problemPage(error: DomainError, request: FastifyRequest): Page {
  const from = pageOf(request);
  const isOwnPage = request.method !== 'POST';
  const isStale = error.code === 'sign_in_again';
  const title = isStale ? 'Sign in again' : (TITLES[error.status] ?? 'Request failed');
  return {
    title,
    tab: null,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">{error.message}</p>
        <p>
          {isStale ? (
            <a class="button primary" href={signInPath(from)}>
              Sign in again
            </a>
          ) : (
            <a class="button" href={isOwnPage ? '/console' : from}>
              {isOwnPage ? 'Go to the overview' : 'Back'}
            </a>
          )}
        </p>
      </>
    ),
  };
}
