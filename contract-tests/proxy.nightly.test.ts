import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from './answers/documented-answers.ts';
import { excuseFor } from './excused-answers.ts';
import { openPrismInFront } from './proxy/through-prism.ts';

/** The proxies (`prism proxy --errors`) in front of every server that this file tests. */
const prism = vi.hoisted(() => ({}) as { inFront: ReturnType<typeof openPrismInFront> });
prism.inFront = openPrismInFront();

// Replaces the functions that send the suite's requests by functions that send the requests through Prism.
vi.mock('./answers/observed-fetch.ts', async (original) => {
  const { observedFetch } = await original<typeof import('./answers/observed-fetch.ts')>();
  return {
    observedFetch: (observe: Parameters<typeof observedFetch>[0]) =>
      observedFetch(observe, (request) => prism.inFront.send(request)),
  };
});
vi.mock('./targets/server/raw-request.ts', async (original) => {
  const parts = await original<typeof import('./targets/server/raw-request.ts')>();
  const sendChecked: typeof parts.sendChecked = (baseUrl, request) =>
    parts.sendChecked(baseUrl, request, prism.inFront.sendRaw);
  return { ...parts, sendChecked };
});
vi.mock('./targets/target.ts', async (original) => {
  const { TARGETS } = await original<typeof import('./targets/target.ts')>();
  return { TARGETS: TARGETS.filter(({ name }) => name === 'server') };
});

/** Test files whose requests all break the contract, so Prism would refuse them. */
const LEFT_OUT = ['bad-input', 'check-order', 'generated-input'];
/** Statuses of invalid requests that Prism refuses itself. Prism lets some pass, such as a request with a wrong cursor. */
const REFUSALS = [400, 413, 415];
/** Status that Prism replaces by its own answer, because it takes a 501 as a sign that the server does not exist yet. */
const NOT_PROXIED = 501;

const suites = readdirSync(new URL('.', import.meta.url)).filter(
  (file) =>
    file.endsWith('.contract.test.ts') && !LEFT_OUT.some((name) => file === `${name}.contract.test.ts`),
);
for (const suite of suites) await import(/* @vite-ignore */ `./${suite}`);

afterAll(() => prism.inFront.stop());

describe('Prism before the server finds nothing against any answer', () => {
  it.each(OPERATIONS.map(({ operationId, answers }) => [operationId, [...answers.keys()]] as const))(
    'of %s',
    (operationId, statuses) => {
      const demanded = statuses.filter(
        (status) =>
          ![...REFUSALS, NOT_PROXIED].includes(status) &&
          excuseFor('server', operationId, status) === undefined,
      );
      const seen = demanded.filter((status) => prism.inFront.passed.has(`${operationId} ${status}`));

      expect(seen).toEqual(demanded);
    },
  );
});
