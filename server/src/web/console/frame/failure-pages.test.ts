import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../../testing/every-row.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { DomainError, ERROR_STATUS, type ErrorCode } from '../../../platform/errors/domain-error.ts';
import {
  type FailureFormat,
  failureAsJson,
  sendFailure,
} from '../../../platform/http/failures/send-failure.ts';
import { decorateRequests } from '../../../platform/http/request-context.ts';
import { publicFailurePage } from '../../public/frame/failure-page.ts';
import { signInFailurePage } from '../../public/sign-in/sign-in.page.tsx';
import { consoleFailurePage } from './console-failure-page.tsx';

const rateLimits = {
  count: async () => undefined,
  countFailedCredential: async () => undefined,
  hasFailedTooOften: () => false,
  isOn: () => true,
};
const FORMS: Record<string, FailureFormat> = {
  JSON: failureAsJson(rateLimits),
  page: publicFailurePage,
  'page of the sign-in': signInFailurePage(null),
  'page of the console': consoleFailurePage({
    rateLimits,
    publicUrls: createPublicUrls('https://trust.example'),
  }),
};
const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** Creates a function that returns the response to a failure, and its code in the access log. */
function createFailingServer(form: FailureFormat) {
  const app = Fastify();
  decorateRequests(app);
  let logged: string | null = null;
  app.addHook('onResponse', async (request) => {
    logged = request.errorCode;
  });
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, form));
  let thrown: unknown;
  app.get('/', async () => {
    throw thrown;
  });
  return async (error: unknown) => {
    thrown = error;
    logged = null;
    const { statusCode, headers, body } = await app.inject('/');
    return { statusCode, headers, body, logged };
  };
}

describe.each(Object.entries(FORMS))('a failure as %s', (name, form) => {
  const answerTo = createFailingServer(form);

  it('has the status, headers and log word of every code', async () => {
    const check = async (code: ErrorCode) => {
      const options = { retryAfterSeconds: 7, allow: ['GET', 'HEAD'] };

      const { statusCode, headers, logged } = await answerTo(
        new DomainError(code, 'What was wrong.', options),
      );

      const leadsToSignIn = name === 'page of the console' && code === 'unauthorized';
      expect(statusCode).toBe(leadsToSignIn ? 303 : ERROR_STATUS[code]);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '7', allow: 'GET, HEAD' });
      expect(logged).toBe(code);
    };

    await expectEveryRow(CODES, (code) => code, check);
  });

  it('reveals nothing about unexpected errors', async () => {
    const { statusCode, body } = await answerTo(new TypeError('marmalade-4711'));

    expect(statusCode).toBe(500);
    expect(body).not.toContain('marmalade');
  });
});
