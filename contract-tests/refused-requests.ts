import type { ApiClient, StateName, States } from './targets/states.ts';
import type { Target } from './targets/target.ts';

type Refused = (target: Target) => Promise<unknown>;

/** Pairs a request in a state with its refusal. */
function refused<Name extends StateName>(
  state: Name,
  send: (given: States[Name]) => Promise<{ error?: unknown }>,
): [name: string, refused: Refused] {
  return [state, async (target) => (await send(await target.given(state))).error];
}

type Called = { readonly client: ApiClient };
const run = (
  state: {
    [Name in StateName]: States[Name] extends Called & { body: { operation: string } } ? Name : never;
  }[StateName],
) =>
  refused(
    state,
    ({ client, body }: States['a listed agent']) => client.POST('/api/svc/operations/run', { body }) as never,
  );
const register = (
  state: {
    [Name in StateName]: States[Name] extends Called & { body: { repoHostUrl: string } } ? Name : never;
  }[StateName],
) =>
  refused(state, ({ client, body }: States['an account that may register']) =>
    client.POST('/api/agents/register', { body }),
  );
const byId = (id: string) => ({ params: { path: { id } } });

/** Requests that conform to their schemas but are refused in a state of the server or the caller. */
export const REFUSED_REQUESTS: readonly [name: string, refused: Refused][] = [
  run('an operation without a credential'),
  run('an operation with an unknown key'),
  run('an operation with an expired key'),
  run('an operation with a revoked key'),
  run('an operation with a paused key'),
  run('an operation in a session that has ended'),
  run('an operation in a session from another site'),
  run('an operation in a session that names a foreign key'),
  run('an operation in a session that names a paused key'),
  run('an operation that names another key'),
  run('an operation without the scope'),
  run('an empty balance'),
  run('a subject that nobody knows'),
  run('a name of several subjects'),
  run('an operation under way'),
  run('a key that was used for another subject'),
  run('an operation with a key out of requests'),
  run('an idempotency key that failed too often'),
  run('a backend without a usable score'),
  register('a repository on a host that is not allowed'),
  register('a parent that nobody listed'),
  register('a registration without a credential'),
  register('a registration with an unknown key'),
  register('a registration with an expired key'),
  register('a registration with a revoked key'),
  register('a registration with a paused key'),
  register('a registration without the scope'),
  register('a registration in a session from another site'),
  register('a repository that is registered'),
  register('a registration with a key out of requests'),
  refused('an unforeseen fault', ({ client }) => client.GET('/api/agents')),
  refused('a database that is away', ({ client }) => client.GET('/api/agents')),
  refused('an address out of requests', ({ client }) => client.GET('/api/agents')),
  refused('a cursor of another list', ({ client, cursor }) =>
    client.GET('/api/agents', { params: { query: { cursor } } }),
  ),
  refused('an id that nobody has', ({ client, id }) => client.GET('/api/agents/{id}', byId(id))),
  refused('a handle that nobody has', ({ client, handle }) =>
    client.GET('/api/identity/{handle}', { params: { path: { handle } } }),
  ),
  refused('a label that nobody has', ({ client, label }) =>
    client.GET('/api/subjects', { params: { query: { subject: label } } }),
  ),
  refused('a label of several subjects', ({ client, label }) =>
    client.GET('/api/subjects', { params: { query: { subject: label } } }),
  ),
  refused('a canonical id that nobody has', ({ client, id }) =>
    client.GET('/api/subjects/{canonical_id}', { params: { path: { canonical_id: id } } }),
  ),
  refused('a reader without a credential', ({ client }) => client.GET('/api/receipts')),
  refused('a reader with an unknown key', ({ client }) => client.GET('/api/receipts')),
  refused('a reader with a revoked key', ({ client }) => client.GET('/api/receipts')),
  refused('a reader in a session that has ended', ({ client }) => client.GET('/api/receipts')),
  refused('a reader with a key out of requests', ({ client }) => client.GET('/api/receipts')),
  refused('a receipt of another account', ({ client, ledgerId }) =>
    client.GET('/api/receipts/{ledger_id}', { params: { path: { ledger_id: ledgerId } } }),
  ),
  refused('a console request without a session', ({ client }) => client.GET('/api/console/keys')),
  refused('a console session that has ended', ({ client }) => client.GET('/api/console/keys')),
  refused('a console session from another site', ({ client }) => client.DELETE('/api/console/session')),
  refused('a console session out of requests', ({ client }) => client.GET('/api/console/balance')),
  refused('a linked account whose code is not published', ({ client, id }) =>
    client.POST('/api/console/linked-accounts/{id}/verify', byId(id)),
  ),
  refused('a linked account whose code has expired', ({ client, id }) =>
    client.POST('/api/console/linked-accounts/{id}/verify', byId(id)),
  ),
  refused('a linked account on a host that is away', ({ client, id }) =>
    client.POST('/api/console/linked-accounts/{id}/verify', byId(id)),
  ),
  refused('a linked account of somebody else', ({ client, id }) =>
    client.DELETE('/api/console/linked-accounts/{id}', byId(id)),
  ),
  refused('an agent of somebody else', ({ client, id }) =>
    client.POST('/api/console/agents/{id}/score', byId(id)),
  ),
  refused('an agent that was just to be scored', ({ client, id }) =>
    client.POST('/api/console/agents/{id}/score', byId(id)),
  ),
  refused('an agent that cannot be scored', ({ client, id }) =>
    client.POST('/api/console/agents/{id}/score', byId(id)),
  ),
  refused('a child of an unverified creator', ({ client, childId }) =>
    client.PUT('/api/console/lineage/{childId}/acknowledgement', { params: { path: { childId } } }),
  ),
  refused('a child of somebody else', ({ client, childId }) =>
    client.PUT('/api/console/lineage/{childId}/acknowledgement', { params: { path: { childId } } }),
  ),
  refused('a handle that somebody has', ({ client, handle }) =>
    client.PUT('/api/console/handle', { body: { handle } }),
  ),
  refused('an account on the free plan', ({ client }) =>
    client.PUT('/api/console/overage', { body: { enabled: true } }),
  ),
  refused('a cap beyond the plan', ({ client }) =>
    client.PUT('/api/console/overage', { body: { enabled: true, cap: 1_000_000 } }),
  ),
  refused('a revoked key of one’s own', ({ client, id }) =>
    client.POST('/api/console/keys/{id}/pause', byId(id)),
  ),
  refused('an access key of somebody else', ({ client, id }) =>
    client.DELETE('/api/console/keys/{id}', byId(id)),
  ),
  refused('a session of long ago', ({ client }) =>
    client.POST('/api/console/keys', { body: { scopes: ['scores:read'] } }),
  ),
  refused('no slot for one more key', ({ client }) =>
    client.POST('/api/console/keys', { body: { scopes: ['scores:read'] } }),
  ),
  refused('a revoked key to replace', ({ client, id }) =>
    client.POST('/api/console/keys', { body: { replaces_key_id: id } }),
  ),
  refused('a cursor of another list of receipts', ({ client }) =>
    client.GET('/api/receipts', { params: { query: { cursor: 'W10' } } }),
  ),
];
