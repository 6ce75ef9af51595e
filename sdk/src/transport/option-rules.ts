import type { OptionRules } from './read-options.ts';

/** Matches access keys that are valid in a header. For any other key, the error of `fetch` would contain the key. */
export const ACCESS_KEY_PATTERN = /^\s*[!-~]*\s*$/;

/** Options of a client that each call can override. */
const COMMON: OptionRules = {
  apiKey: ['a string, function or null', ACCESS_KEY_PATTERN, null, 'api_key'],
  timeoutMs: ['a number from 1', /^[1-9I]/, 50_000, 'timeout_ms'],
  maxRetries: ['a whole number from 0', /^\d+$/, 2, 'max_retries'],
  maxAnswerBytes: ['a number from 1', /^[1-9I]/, 2 ** 25],
  headers: ['an object of texts without authorization', /^(?!authorization\n)[\w-]+\n[ -~]*$/i],
};

export const CLIENT_RULES: OptionRules = {
  ...COMMON,
  baseUrl: [
    'a plain http(s) URL string',
    // URLs without user name, password, query and fragment.
    { test: (text) => URL.canParse(text) && /^https?:\/\/[^@?#]+$/i.test(text) },
    '',
    'url',
  ],
  fetch: ['a function'],
  allowInsecure: ['a boolean, true or false', undefined, false, 'allow_insecure'],
  hooks: ['an object of onRequest, onResponse, onRetry, onError'],
};

export const CALL_RULES: OptionRules = { ...COMMON, signal: ['an AbortSignal object', /$/] };
