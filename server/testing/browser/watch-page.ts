import type { Page } from 'playwright-core';

/** Troubles of a page: errors, violations of the content security policy, requests to other sites. */
export interface PageTroubles {
  /** Returns and clears the troubles. */
  take(): string[];
  /** Returns and clears the requested URLs, in order. */
  takeRequests(): string[];
}

declare global {
  interface Window {
    /** Receives violations of the content security policy from the page. */
    reportRefusal?: (text: string) => void;
  }
}

/** Watches a page; must be called before its first navigation. */
export async function watchPage(page: Page, site: string): Promise<PageTroubles> {
  let troubles: string[] = [];
  let requests: string[] = [];
  page.on('console', (message) => {
    // A failure page has an error status, which the browser also reports as an error.
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
