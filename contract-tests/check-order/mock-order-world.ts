import { startMock } from '../../sdk/mock/start-mock.ts';
import { bearer } from '../targets/client.ts';
import { json } from '../targets/server/raw-request.ts';
import { type Caller, type OrderWorld, sendAs } from './order-world.ts';

/**
 * Opens the mock. Callers select an example of the contract, and thus their state, by the header `Prefer`. The unknown and
 * the ambiguous subject need no header, because the mock recognizes them.
 */
export async function openMockOrderWorld(): Promise<OrderWorld> {
  /** Makes the next call with a delay wait until `released`; `arrived` is called when it begins to wait. */
  let hold: { arrived(): void; released: Promise<void> } | null = null;
  const mock = await startMock({
    host: '127.0.0.1',
    port: 0,
    async wait(delayMs) {
      if (delayMs === 0 || hold === null) return;
      hold.arrived();
      await hold.released;
    },
  });
  let accounts = 0;
  const by = (secret: string | null): Caller => ({ url: mock.url, headers: bearer(secret) });
  const account = async () => by(`account-${accounts++}`);
  const preferring =
    (prefer: string) =>
    async ({ url, headers }: Caller): Promise<Caller> => ({ url, headers: { ...headers, Prefer: prefer } });
  const good = { operation: 'agent_score', subject: 'example-labs/changelog-agent' };

  return {
    good,
    another: async () => ({ operation: 'agent_score', subject: `example-labs/agent-${accounts++}` }),
    unknown: { operation: 'agent_score', subject: 'example-labs/no-such-agent' },
    ambiguous: { operation: 'skill_score', subject: 'github-mcp-server' },
    listed: `https://github.com/${good.subject}`,
    nobody: by(null),
    account,
    withScope: async () => preferring('code=403')(await account()),
    revoked: async () => preferring('code=401, example=revoked')(await account()),
    but: {
      outOfRequests: preferring('code=429'),
      outOfRequestsByItsTwin: async () => preferring('code=429')(await account()),
      empty: preferring('code=402'),
      limited: preferring('code=402, example=key_limit_exceeded'),
      unscoped: preferring('code=403, example=insufficient_scope'),
      without: (_about, caller) => preferring('code=404')(caller),
      whileScoringFails: preferring('code=502'),
    },
    async begin(body) {
      const caller = await account();
      let end: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        end = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        hold = { arrived: resolve, released };
      });
      const slow = await preferring('delay=60000')(caller);
      const first = sendAs(slow, { method: 'POST', path: '/api/svc/operations/run', ...json(body) });
      await arrived;
      hold = null;
      return {
        caller: await preferring('code=402')(caller),
        end: () => {
          end();
          return first;
        },
      };
    },
    scored: () => 0,
    restore: async () => undefined,
    stop: () => mock.close(),
  };
}
