import type { Page } from 'playwright-core';

/** What happened on a page that should not: errors, refusals by the content security policy, requests to others. */
export interface PageTroubles {
  /** Told and forgotten. */
  take(): string[];
  /** Addresses that the page asked for since the last time, in order. */
  takeRequests(): string[];
}

declare global {
  interface Window {
    /** Told by the page itself of every refusal of its policy. */
    reportRefusal?: (text: string) => void;
  }
}

/** Watches a page from its first moment on; call it before the page goes anywhere. */
export async function watchPage(page: Page, site: string): Promise<PageTroubles> {
  let troubles: string[] = [];
  let requests: string[] = [];
  page.on('console', (message) => {
    // A page about a failure answers with its status, of which the browser tells too.
    const isOwnStatus =
      message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (message.type() === 'error' && !isOwnStatus) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(`${site}/`) && !request.url().startsWith('data:')) {
      troubles.push(`request: ${request.url()}`);
    }
  });
  await page.exposeFunction('reportRefusal', (text: string) => void troubles.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      window.reportRefusal?.(`${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`);
    });
  });
  return {
    take() {
      const taken = troubles;
      troubles = [];
      return taken;
    },
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
  };
}
