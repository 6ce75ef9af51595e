import type { Rules } from './options.ts';

/** A number above zero. */
const SOME = /^[1-9]|^I/;

/** A key that can stand in a header: with any other, fetch would quote it in an error of its own. */
export const KEY = /^\s*[!-~]*\s*$/;

/** An `http` or `https` address without user name, password, query and fragment. */
const BASE_URL = /^https?:\/\/[^@?#]+$/i;

/** Options that a client has, and that each call may have for itself. */
const COMMON: Rules = {
  apiKey: ['a string, function or null', KEY, null, 'API_KEY'],
  timeoutMs: ['a number from 1', SOME, 50_000, 'TIMEOUT_MS'],
  maxRetries: ['a whole number from 0', /^\d+$/, 2, 'MAX_RETRIES'],
  maxAnswerBytes: ['a number from 1', SOME, 2 ** 25],
  headers: ['an object of texts, but Authorization', /^(?!authorization=)[\w-]+=[ -~]*$/i],
};

/** Options of a client. */
export const CLIENT_RULES: Rules = {
  ...COMMON,
  baseUrl: [
    'a plain http(s) URL string',
    { test: (text) => URL.canParse(text) && BASE_URL.test(text) },
    '',
    'URL',
  ],
  fetch: ['a function'],
  allowInsecure: ['a boolean, true or false', undefined, false, 'ALLOW_INSECURE'],
  hooks: ['an object of onRequest, onResponse, onRetry, onError'],
};

/** Options of one call. */
export const CALL_RULES: Rules = { ...COMMON, signal: ['an AbortSignal object', /$/] };
