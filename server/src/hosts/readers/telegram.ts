import { cleanName, cleanTime, linksIn, textOfHtml } from '../clean-values.ts';
import { HostFailure } from '../host-account.ts';
import type { AccountReader } from './account-reader.ts';

/**
 * Reads a public Telegram channel from its preview page. Persons, groups and bots have no page with a permanent id,
 * and their names can pass to others, so only an operator can confirm them.
 */
export const telegramAccount: AccountReader = async (from, handle) => {
  const page = (
    await from.request(`/s/${encodeURIComponent(handle)}`, { accept: 'text/html', followRename: true })
  ).body;
  const channel = channelOf(page);
  if (channel === null) {
    throw new HostFailure(
      'unreadable',
      'Telegram shows a permanent id for public channels only. Ask the operator of this directory to confirm any other account.',
    );
  }
  const description = block(page, 'tgme_channel_info_description') ?? '';
  // Telegram shows its own badges, such as the verified one, as icons in the title.
  const title = withoutIcons(block(page, 'tgme_channel_info_header_title') ?? '');
  return {
    hostAccountId: channel.id,
    createdAt: null,
    handle: channel.handle,
    isOrganisation: false,
    evidenceUrl: `https://t.me/s/${encodeURIComponent(channel.handle)}`,
    texts: [textOfHtml(description)],
    website: null,
    secondPlace: null,
    facts: {
      name: cleanName(textOfHtml(title), 100),
      verifiedMark: page.includes('verified-icon'),
      audience: subscribers(page),
      lastPostAt: lastPost(page),
      links: linksIn(description),
    },
  };
};

/**
 * Reads the channel from the attributes of a post. `data-post` is `handle/number`; `data-view` is base64 of JSON whose
 * member `c` is the channel id.
 */
function channelOf(page: string): { id: string; handle: string } | null {
  const tag = /<div\s[^<>]*\sdata-view="[^<>]*>/.exec(page)?.[0] ?? '';
  const encoded = /\sdata-view="([A-Za-z0-9+/_=-]{8,500})"/.exec(tag)?.[1] ?? '';
  const handle = /\sdata-post="([A-Za-z0-9_]{1,64})\/\d{1,12}"/.exec(tag)?.[1];
  const id = /"c":(-?\d{1,20})\b/.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1];
  return id === undefined || handle === undefined ? null : { id, handle };
}

/**
 * Returns the content of the first element with a class. The element must not contain another one with the same tag
 * name.
 */
function block(page: string, className: string): string | null {
  for (const { 0: tag, 1: name, index } of page.matchAll(/<(div|span)\s[^<>]*>/g)) {
    const classes = /\sclass="([^"]*)"/.exec(tag)?.[1] ?? '';
    if (!classes.split(' ').includes(className)) continue;
    const start = index + tag.length;
    const end = page.indexOf(`</${name}>`, start);
    return end < 0 ? null : page.slice(start, end);
  }
  return null;
}

/** Removes `<i>` elements with their content; Telegram does not nest them. */
function withoutIcons(html: string): string {
  const parts = html.split('</i>');
  return parts
    .map((part, place) => (place < parts.length - 1 ? part.replace(/<i\b[\s\S]*/, '') : part))
    .join('');
}

/** Reads the exact number of subscribers; null if the page shortens it to `12.3K`. */
function subscribers(page: string): number | null {
  const counter = /counter_value">\s*([\d\s]{1,20})<\/span>\s*<span class="counter_type">subscribers?</.exec(
    page,
  );
  const digits = counter?.[1]?.replace(/\s/g, '') ?? '';
  return digits === '' ? null : Number(digits);
}

function lastPost(page: string): string | null {
  const moments = [...page.matchAll(/<time[^<>]*\sdatetime="([^"]{10,40})"/g)].map(([, text]) =>
    cleanTime(text),
  );
  return (
    moments
      .filter((each) => each !== null)
      .sort()
      .at(-1) ?? null
  );
}
