import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { DomainError, ERROR_STATUS, type ErrorCode } from '../../domain-error.ts';
import { answerFailure, type FailureForm } from '../../http/failures/answer-failure.ts';
import { failureAsJson } from '../../http/failures/failure-as-json.ts';
import { decorateRequests } from '../../http/request-context.ts';
import { failureAsPage } from '../../pages/frame/failure-as-page.ts';
import { failureAsSignInPage } from '../../pages/sign-in/failure-as-sign-in-page.ts';
import { createNaming } from '../../subjects/naming.ts';
import { failureInConsole } from './failure-in-console.tsx';

const rateLimits = {
  count: async () => undefined,
  countFailedCredential: async () => undefined,
  hasFailedTooOften: () => false,
  isOn: () => true,
};
const FORMS: Record<string, FailureForm> = {
  JSON: failureAsJson(rateLimits),
  page: failureAsPage,
  'page of the sign-in': failureAsSignInPage(null),
  'page of the console': failureInConsole({ rateLimits, naming: createNaming('https://trust.example') }),
};
const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The answer to a failure in a form, and the word for it in the access log. */
async function answerTo(thrown: unknown, form: FailureForm) {
  const app = Fastify();
  decorateRequests(app);
  let logged: string | null = null;
  app.addHook('onResponse', async (request) => {
    logged = request.errorCode;
  });
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, form));
  app.get('/', async () => {
    throw thrown;
  });
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  return { statusCode, headers, body, logged };
}

describe.each(Object.entries(FORMS))('a failure as %s', (name, form) => {
  it.each(CODES)('has the status, headers and log word of %s', async (code) => {
    const error = new DomainError(code, 'What was wrong.', { retryAfterSeconds: 7, allow: ['GET', 'HEAD'] });

    const { statusCode, headers, logged } = await answerTo(error, form);

    const leadsToSignIn = name === 'page of the console' && code === 'unauthorized';
    expect(statusCode).toBe(leadsToSignIn ? 303 : ERROR_STATUS[code]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '7', allow: 'GET, HEAD' });
    expect(logged).toBe(code);
  });

  it('tells nothing of what nobody foresaw', async () => {
    const { statusCode, body } = await answerTo(new TypeError('marmalade-4711'), form);

    expect(statusCode).toBe(500);
    expect(body).not.toContain('marmalade');
  });
});
