import { createAccount } from '../../server/src/accounts/account-lifecycle.ts';
import type { Database } from '../../server/src/platform/database/connect.ts';
import { hashSecret, newSecret } from '../../server/src/platform/http/credentials/secret.ts';
import { makeSession, PLAN_BOOK } from '../../server/testing/factories.ts';
import { mustHold } from '../experiment.ts';

const JSON_TYPE = 'application/json';

/** An answer with its headers, as sent. */
interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Secrets that one caller sends to a server, and the server's answers. */
export interface Shown {
  /** A key, a session's token, and two invented credentials. */
  readonly secrets: readonly string[];
  /** The response that created the key, the only one that may contain a secret. */
  readonly issued: Reply;
  readonly replies: readonly Reply[];
}

/** Sends every secret of a new account to a server: as a credential, and in other fields where people put it by mistake. */
export async function showSecrets(baseUrl: string, database: Database, place: number): Promise<Shown> {
  const { id } = await createAccount(database, PLAN_BOOK, { handle: `teller-${place}`, plan: 'free' });
  const { token, cookie } = await makeSession(database, id);
  const send = async (path: string, { headers = {}, ...init }: RequestInit & { headers?: object } = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { ...headers, ...(init.body != null && { 'content-type': JSON_TYPE }) },
    });
    return { status: answer.status, text: `${[...answer.headers].join('\n')}\n${await answer.text()}` };
  };
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ name: 'told', scopes: ['scores:read'] });
  const issued = await send('/api/console/keys', { method: 'POST', headers: own, body });
  mustHold(issued.status === 201, `a key is answered with ${issued.status}: ${issued.text.slice(-300)}`);
  const key = /svc_live_\w{38}/.exec(issued.text)?.[0] ?? '';
  const [foreign, mistyped] = [newSecret(), `${newSecret().slice(0, -1)}!`];

  const replies: Reply[] = [];
  for (const secret of [key, foreign, mistyped]) {
    const headers = { authorization: `Bearer ${secret}` };
    const call = { operation: 'agent_score', subject: 'nobody/nothing', idempotency_key: `told-${place}` };
    for (const changes of [{}, { idempotency_key: secret }])
      replies.push(
        await send(RUN, { method: 'POST', headers, body: JSON.stringify({ ...call, ...changes }) }),
      );
    replies.push(await send('/api/receipts', { headers }));
    replies.push(await send('/api/console/keys', { headers: { ...headers, ...own } }));
  }
  for (const path of ['/api/console/keys', '/api/console/usage', '/api/session', '/console', '/console/keys'])
    replies.push(await send(path, { headers: own }));
  for (const secret of [key, token]) {
    const misplaced = { 'user-agent': secret, referer: `${baseUrl}/?key=${secret}`, 'x-request-id': secret };
    // A response may repeat a secret from the URL or from a field's name to its sender, so these replies are not
    // collected. The server must not write it anywhere.
    await send(`/api/agents?q=${secret}`, { headers: misplaced });
    await send(`/${secret}?key=${secret}`);
    await send(RUN, { method: 'POST', headers: { authorization: `Basic ${secret}` }, body: `{"${secret}` });
    await send(RUN, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ [secret]: 1 }),
    });
  }
  return { secrets: [key, token, foreign, mistyped], issued, replies };
}

const RUN = '/api/svc/operations/run';
const HASH_FORMS = ['hex', 'base64', 'base64url'] as const;
/** Start and end of the part of a secret that is searched for: long enough that it cannot occur by chance. */
const PART = [10, 32] as const;

/** Returns true if a text contains a part of a secret, or the digest of the secret. */
export function tells(text: string, secret: string): boolean {
  return text.includes(secret.slice(...PART)) || tellsDigest(text, secret);
}

function tellsDigest(text: string, secret: string): boolean {
  const digest = hashSecret(secret);
  return HASH_FORMS.some((form) => text.includes(digest.toString(form).slice(0, -2)));
}
