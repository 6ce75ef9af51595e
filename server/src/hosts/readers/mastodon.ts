import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../answer-parser.ts';
import { cleanCount, cleanName, cleanTime, linksIn, textOfHtml } from '../clean-values.ts';
import { HostFailure } from '../host-account.ts';
import type { AccountReader } from './account-reader.ts';

const readAnswer = createAnswerParser({
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
 * them, because it could forge them.
 */
export const mastodonAccount: AccountReader = async (from, handle) => {
  const answer = await from.request(`/api/v1/accounts/lookup?acct=${encodeURIComponent(handle)}`);
  const account = readAnswer(answer.body, from.host);
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
