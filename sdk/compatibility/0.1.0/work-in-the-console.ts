import { type Console, consoleOf, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string): Promise<unknown> {
  const signedIn = (request: Request) => {
    request.headers.set('cookie', 'sid=a-session');
    return fetch(request);
  };
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
