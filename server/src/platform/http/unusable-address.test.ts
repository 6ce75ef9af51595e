import { expect, it } from 'vitest';
import { unusableAddress } from './unusable-address.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

it.each([
  [
    'EADDRINUSE',
    '',
    /^Port 80 of ::1 is in use\. Stop the program that listens there, or set PORT to another port\.$/,
  ],
  [
    'EADDRINUSE',
    'METRICS_',
    /^Port 80 of ::1 is in use\. Stop the program that listens there, or set METRICS_PORT to another port\.$/,
  ],
  [
    'EADDRNOTAVAIL',
    'SCORING_',
    /^SCORING_HOST ::1, SCORING_PORT 80 cannot be listened on: the reason\. Set SCORING_HOST to an address of this machine, /,
  ],
  ['ENOTFOUND', '', /^HOST ::1, PORT 80 cannot be listened on: the reason\. Set HOST to an address/],
  ['EACCES', '', /the reason\. Set PORT to 1024 or above, or give the user .* the right to listen on 80\.$/],
  ['EODD', '', /^HOST ::1, PORT 80 cannot be listened on: the reason\.$/],
])(
  'a failure to listen (%s) names the variables %sHOST and PORT, and what to do',
  (code, prefix, sentence) => {
    const error = unusableAddress(failure(code, 'the reason'), { host: '::1', port: 80 }, prefix);

    expect(error.message).toMatch(sentence);
  },
);
