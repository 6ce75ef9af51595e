import { answerReader, optional } from '../answer-reader.ts';
import { cleanName, count, linksIn, moment } from '../clean-values.ts';
import type { AccountReader, AskedHost } from './account-reader.ts';

const readProfile = answerReader({
  type: 'object',
  required: ['did', 'handle'],
  properties: {
    did: { type: 'string', pattern: '^did:[a-z]+:[A-Za-z0-9._:%-]{1,200}$' },
    handle: { type: 'string', minLength: 1, maxLength: 253 },
    displayName: optional('string'),
    description: optional('string'),
    followersCount: optional('number'),
    verification: { type: ['object', 'null'], properties: { verifiedStatus: optional('string') } },
  },
});

const readFeed = answerReader({
  type: 'object',
  required: ['feed'],
  properties: {
    feed: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          post: { type: ['object', 'null'], properties: { indexedAt: optional('string') } },
        },
      },
    },
  },
});

/** Bluesky's public profile. The creation date in it is written by the account itself, so it is taken for unknown. */
export const blueskyAccount: AccountReader = async (from, handle) => {
  const actor = encodeURIComponent(handle);
  // An unknown handle is answered with 400.
  const question = { alsoNotFound: 400 };
  const answer = await from.ask(`/xrpc/app.bsky.actor.getProfile?actor=${actor}`, question);
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
    elsewhere: null,
    facts: {
      name: cleanName(profile.displayName, 100),
      verifiedMark: verified === undefined || verified === null ? null : verified === 'valid',
      audience: count(profile.followersCount),
      lastPostAt: await lastPostOf(from, profile.did),
      links: linksIn(profile.description ?? ''),
    },
  };
};

async function lastPostOf(from: AskedHost, did: string): Promise<string | null> {
  const path = `/xrpc/app.bsky.feed.getAuthorFeed?actor=${encodeURIComponent(did)}&limit=1&filter=posts_no_replies`;
  const answer = await from.ask(path, { alsoNotFound: 400 }).catch(() => null);
  return answer && moment(readFeed(answer.body, from.host).feed[0]?.post?.indexedAt);
}
