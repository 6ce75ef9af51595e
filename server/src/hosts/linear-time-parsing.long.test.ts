import { describe, expect, it } from 'vitest';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { telegramAccount } from './readers/social-networks.ts';
import { cleanText, cleanTime, linksIn, textOfHtml } from './untrusted-answers.ts';

/**
 * Lengths of texts in characters: first a short one, with which a slow parser fails within seconds, then the maximum
 * length of a host's answer.
 */
const LENGTHS = [2 ** 17, 2 ** 20];
/** Maximum CPU time in µs; a parser with superlinear time takes minutes. */
const SOON = 3_000_000;

const PIECES = [
  '<',
  '</',
  '<i ',
  '<div ',
  '<div class="',
  '<time ',
  '<time datetime="',
  ' datetime="',
  '&',
  ' ',
  '"',
  'https://',
  '\u0000',
];

/** Post of the channel `acme`, whose id is 123. */
const POST = '<div data-post="acme/7" data-view="eyJjIjoxMjN9"></div>';

/** Returns the CPU time of a call. */
async function costOf(read: () => unknown): Promise<number> {
  const { user } = process.cpuUsage();
  await read();
  return process.cpuUsage().user - user;
}

/**
 * Builds Telegram pages with a text in each place where a channel's owner, or a server that imitates Telegram, can
 * put one.
 */
const pagesWith = (text: string) =>
  [
    text,
    `<div class="tgme_channel_info_description">${text}`,
    `<div class="tgme_channel_info_description">${text}</div>`,
    `<div class="tgme_channel_info_header_title">${text}</div>`,
    `<div class="tgme_channel_info_header_title">${text}</i></div>`,
    `counter_value">${text}`,
    `<div ${text}`,
  ].map((part) => `${POST}${part}`);

describe('the reading of an answer of 1 MiB', () => {
  it.each(sampleUnlessNightly(PIECES, (_, index) => index % 3 === 2))(
    'takes time linear in its length: %j over and over',
    async (piece) => {
      for (const length of LENGTHS) {
        const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
        for (const read of [textOfHtml, linksIn, cleanTime, (html: string) => cleanText(html, 100)]) {
          expect(await costOf(() => read(text)), read.name).toBeLessThan(SOON);
        }
        for (const body of pagesWith(text)) {
          const from = { host: 't.me', request: async () => ({ body }) };
          expect(await costOf(() => telegramAccount(from as never, 'acme'))).toBeLessThan(SOON);
        }
      }
    },
  );
});

describe('the page of a Telegram channel', () => {
  it('is read for title, description, code and last post, its icons left out', async () => {
    const body = `${POST}
      <div class="tgme_channel_info_header_title"><span dir="auto">A <i class="emoji"><b>x</b></i>cme &amp; Co</span></div>
      <div class="other"></div><div dir="auto" class="a tgme_channel_info_description">Our <b>code</b>: code-1 https://acme.example</div>
      <time class="time" datetime="2026-01-02T03:04:05+00:00">03:04</time><time datetime="2026-01-01T03:04:05+00:00"></time>`;
    const from = { host: 't.me', request: async () => ({ body }) };

    const account = await telegramAccount(from as never, 'acme');

    expect(account).toMatchObject({ hostAccountId: '123', handle: 'acme' });
    expect(account.texts.join()).toContain('code-1');
    expect(account.facts).toMatchObject({
      name: 'A cme & Co',
      lastPostAt: '2026-01-02T03:04:05.000Z',
      links: ['https://acme.example'],
    });
  });
});
