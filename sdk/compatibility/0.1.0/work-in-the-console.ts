import { type Console, consoleOf, type Fetch, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string): Promise<unknown> {
  const signedIn: Fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, cookie: 'sid=a-session' } });
  const { linkedAccounts, children }: Console = consoleOf(new TrustDirectory({ baseUrl, fetch: signedIn }));
  const { data } = await linkedAccounts.list();
  const account = await linkedAccounts.link({
    kind: 'repo_host',
    host: 'github.com',
    handle: 'example-labs',
  });
  const removed = await linkedAccounts.remove(account.id);
  const { data: claims } = await children.list({ acknowledged: false });
  return [data.length, account.state, removed, claims.length];
}

export const expected = [1, 'pending', undefined, 0];
