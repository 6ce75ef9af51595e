import { createAnswerParser, optionalSchema } from '../answer-parser.ts';
import { cleanCount, cleanName, cleanTime, linksIn } from '../clean-values.ts';
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
