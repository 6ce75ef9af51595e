import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanName, count, linksIn, moment, textOfHtml } from '../clean-values.ts';
import { HostFailure } from '../host-failure.ts';
import type { AccountReader } from './account-reader.ts';

const readAnswer = answerReader({
  type: 'object',
  required: ['id', 'acct'],
  properties: {
    id: ID,
    acct: { type: 'string', minLength: 1, maxLength: 500 },
    display_name: optional('string'),
    note: optional('string'),
    created_at: optional('string'),
    followers_count: optional('number'),
    last_status_at: optional('string'),
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

/** An account of the asked Mastodon instance itself. What an instance says of another one's accounts is no proof. */
export const mastodonAccount: AccountReader = async (from, handle) => {
  const answer = await from.ask(`/api/v1/accounts/lookup?acct=${encodeURIComponent(handle)}`);
  const account = readAnswer(answer.body, from.host);
  if (account.acct.includes('@')) {
    throw new HostFailure('not_found', `${from.host} says that the account is on another server.`);
  }
  const fields = (account.fields ?? []).flatMap(({ name, value }) => [name, value]);
  const html = [account.note ?? '', ...fields].join(' ');
  return {
    hostAccountId: String(account.id),
    createdAt: moment(account.created_at),
    handle: account.acct,
    isOrganisation: false,
    evidenceUrl: `https://${from.host}/@${encodeURIComponent(account.acct)}`,
    texts: [account.display_name, textOfHtml(html)],
    website: null,
    elsewhere: null,
    facts: {
      name: cleanName(account.display_name, 100),
      verifiedMark: null,
      audience: count(account.followers_count),
      lastPostAt: moment(account.last_status_at),
      links: linksIn(html),
    },
  };
};
