import { HostFailure } from '../host-account.ts';
import {
  cleanCount,
  cleanName,
  cleanTime,
  createAnswerParser,
  ID_SCHEMA,
  linksIn,
  optionalSchema,
  textOfHtml,
} from '../untrusted-answers.ts';
import type { AccountReader, HostApiClient } from './account-reader.ts';

const readProfile = createAnswerParser({
  type: 'object',
  required: ['did', 'handle'],
  properties: {
    did: { type: 'string', pattern: '^did:[a-z]+:[A-Za-z0-9._:%-]{1,200}$' },
    handle: { type: 'string', minLength: 1, maxLength: 253 },
    displayName: optionalSchema('string'),
    description: optionalSchema('string'),
    followersCount: optionalSchema('number'),
    verification: { type: ['object', 'null'], properties: { verifiedStatus: optionalSchema('string') } },
  },
});

const readFeed = createAnswerParser({
  type: 'object',
  required: ['feed'],
  properties: {
    feed: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          post: { type: ['object', 'null'], properties: { indexedAt: optionalSchema('string') } },
        },
      },
    },
  },
});

/** Reads Bluesky's public profile. Its creation date counts as unknown, because the account itself can write it. */
export const blueskyAccount: AccountReader = async (from, handle) => {
  const actor = encodeURIComponent(handle);
  // Bluesky answers 400 for an unknown handle.
  const question = { alsoNotFound: 400 };
  const answer = await from.request(`/xrpc/app.bsky.actor.getProfile?actor=${actor}`, question);
  const profile = readProfile(answer.body, from.host);
  const verified = profile.verification?.verifiedStatus;
  return {
    hostAccountId: profile.did,
    createdAt: null,
    handle: profile.handle,
    isOrganisation: false,
    evidenceUrl: `https://bsky.app/profile/${encodeURIComponent(profile.handle)}`,
    texts: [profile.displayName, profile.description],
    website: null,
    secondPlace: null,
    facts: {
      name: cleanName(profile.displayName, 100),
      verifiedMark: verified === undefined || verified === null ? null : verified === 'valid',
      audience: cleanCount(profile.followersCount),
      lastPostAt: await lastPostOf(from, profile.did),
      links: linksIn(profile.description ?? ''),
    },
  };
};

async function lastPostOf(from: HostApiClient, did: string): Promise<string | null> {
  const path = `/xrpc/app.bsky.feed.getAuthorFeed?actor=${encodeURIComponent(did)}&limit=1&filter=posts_no_replies`;
  const answer = await from.request(path, { alsoNotFound: 400 }).catch(() => null);
  return answer && cleanTime(readFeed(answer.body, from.host).feed[0]?.post?.indexedAt);
}

const readMastodonAccount = createAnswerParser({
  type: 'object',
  required: ['id', 'acct'],
  properties: {
    id: ID_SCHEMA,
    acct: { type: 'string', minLength: 1, maxLength: 500 },
    display_name: optionalSchema('string'),
    note: optionalSchema('string'),
    created_at: optionalSchema('string'),
    followers_count: optionalSchema('number'),
    last_status_at: optionalSchema('string'),
    fields: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        required: ['name', 'value'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
  },
});

/**
 * Reads an account of this Mastodon instance. Accounts of other instances are rejected, even if this instance shows
 * copies of them, because it could forge these copies.
 */
export const mastodonAccount: AccountReader = async (from, handle) => {
  const answer = await from.request(`/api/v1/accounts/lookup?acct=${encodeURIComponent(handle)}`);
  const account = readMastodonAccount(answer.body, from.host);
  if (account.acct.includes('@')) {
    throw new HostFailure(
      'not_found',
      `${from.host} has the account only as a copy from another server. Use the server that the account is on.`,
    );
  }
  const fields = (account.fields ?? []).flatMap(({ name, value }) => [name, value]);
  const html = [account.note ?? '', ...fields].join(' ');
  return {
    hostAccountId: String(account.id),
    createdAt: cleanTime(account.created_at),
    handle: account.acct,
    isOrganisation: false,
    evidenceUrl: `https://${from.host}/@${encodeURIComponent(account.acct)}`,
    texts: [account.display_name, textOfHtml(html)],
    website: null,
    secondPlace: null,
    facts: {
      name: cleanName(account.display_name, 100),
      verifiedMark: null,
      audience: cleanCount(account.followers_count),
      lastPostAt: cleanTime(account.last_status_at),
      links: linksIn(html),
    },
  };
};

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
