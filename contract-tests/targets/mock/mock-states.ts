import { randomUUID } from 'node:crypto';
import type { ApiClient, RegistrationBody, RunBody, StateMakers } from '../states.ts';
import { billingStates } from './billing-states.ts';
import { consoleStates } from './console-states.ts';
import { meteredStates } from './metered-states.ts';

type MakeClient = (headers: Record<string, string>) => ApiClient;

const KEY = { Authorization: 'Bearer svc_live_any' };
const AGENT = 'AGT-7K2MQ9XD';
const HANDLE = 'google-gemini';
const SUBJECT = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
/** Issuer that the signed documents of the contract's examples name. */
const SIGNER = 'http://127.0.0.1:4000';
const CHANGE_CURSOR = 'WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTQwMiIsIjAiXQ';
const ETAG = 'W/"5f-9b1d3c7e2a"';

const REGISTRATION: RegistrationBody = {
  repoHostUrl: 'https://github.com/example-labs/changelog-agent',
  name: 'Changelog Agent',
  description: 'Reads merged pull requests and drafts release notes.',
  category: 'coding',
};

/** Creates clients whose `Prefer` header selects the example that matches a state. */
export function mockStates(baseUrl: string, clientWith: MakeClient): StateMakers {
  // Headers that the mock's own pages would send.
  const session = { Cookie: 'sid=any', Origin: baseUrl };
  const asked = (prefer?: string) => ({ client: clientWith({ ...KEY, ...(prefer && { Prefer: prefer }) }) });
  const agent = (prefer: string) => async () => ({ ...asked(prefer), id: AGENT });
  const held = (prefer = 'code=304') => ({ ...asked(prefer), etag: ETAG });
  const creator = (prefer: string) => async () => ({ ...asked(prefer), handle: HANDLE });
  const subject = (example: string, id: string, label: string, type: string) => async () => ({
    ...asked(`example=${example}`),
    id,
    label,
    type,
  });
  const scored = (prefer: string) => async () => ({
    ...asked(prefer),
    id: SUBJECT,
    label: 'google-gemini/gemini-cli',
    type: 'agent',
    from: '2026-10-24T06:12:44.019273Z',
    to: '2026-11-20T09:14:03.482915Z',
  });
  const heldScore = async () => ({ ...(await scored('code=304')()), etag: ETAG });
  const packaged = (prefer: string, named: string) => async () => ({ ...asked(prefer), named });
  const changes = (prefer: string) => async () => ({ ...asked(prefer), cursor: CHANGE_CURSOR });
  const registration = (prefer?: string) => async () => ({ ...asked(prefer), body: REGISTRATION });
  const run =
    (prefer?: string, changes: Partial<RunBody> = {}) =>
    async () => ({ ...asked(prefer), body: { ...newRun(), ...changes } });

  return {
    'a visitor with a key': async () => ({
      baseUrl,
      apiKey: 'svc_live_any',
      words: 'gemini',
      id: AGENT,
      subject: 'example-labs/changelog-agent',
    }),

    'an unforeseen fault': async () => asked('code=500'),
    'a database that is away': async () => asked('code=503'),
    'an address out of requests': async () => asked('code=429'),

    'a directory of agents': async () => asked(),
    'a search with a common word': async () => ({ ...asked('example=broad_search'), q: 'the agent' }),
    'a search without a match': async () => ({ ...asked('example=empty'), q: 'flux capacitor' }),
    'a page that the client holds': async () => held(),
    'a cursor of another list': async () => ({ ...asked('code=400, example=foreign_cursor'), cursor: 'W10' }),
    'an agent of an unverified creator': agent('example=unverified_creator'),
    'an agent without repository metrics': agent('example=no_repository_metrics'),
    'an agent with packages': agent('example=verified_creator'),
    'an agent without a score': agent('example=not_scored_yet'),
    'a repository that collects skills': agent('example=container'),
    'an agent that the client holds': async () => ({ ...held(), id: AGENT }),
    'an id that nobody has': agent('code=404'),
    'an agent with a descendant': agent('example=with_descendant'),
    'an agent with an ancestor': agent('example=with_ancestor'),
    'an agent without relatives': agent('example=alone'),
    'a lineage that the client holds': async () => ({ ...held(), id: AGENT }),
    'a creator without a score': creator('example=unverified_without_score'),
    'a creator that the client holds': async () => ({ ...held(), handle: HANDLE }),
    'a handle that nobody has': creator('code=404'),

    'a listed subject': subject('agent', SUBJECT, 'google-gemini/gemini-cli', 'agent'),
    'a subject inside a repository': subject(
      'part_of_a_repository',
      '5c1e9a40-3f0b-4b5c-8f0e-9a1d2c3b4e5f',
      'example-labs/changelog-agent#notes',
      'skill',
    ),
    'a social account': subject(
      'account',
      '3d5f3a5e-7c1b-4b0a-8e55-1f2a9c6d7e80',
      'https://x.com/example_labs',
      'social_account',
    ),
    'a subject without a score': subject(
      'not_scored_yet',
      '0f8e7d6c-5b4a-4938-a271-605f4e3d2c1b',
      '@example-labs',
      'creator',
    ),
    'a subject that the client holds': async () => ({ ...held(), id: SUBJECT, label: 'gemini-cli' }),
    'a label that nobody has': async () => ({ ...asked('code=404'), label: 'nobody/nothing' }),
    'a label of several subjects': async () => ({ ...asked('code=409'), label: 'github-mcp-server' }),
    'a canonical id that nobody has': async () => ({ ...asked('code=404'), id: SUBJECT }),
    'a signed subject': async () => ({ ...asked(), id: SUBJECT, issuer: SIGNER }),
    'a signed subject inside a repository': async () => ({ ...asked(), id: SUBJECT, issuer: SIGNER }),
    'a subject without a score to sign': async () => ({
      ...asked('code=404, example=without_score'),
      id: SUBJECT,
    }),
    'a signature that the client holds': async () => ({ ...held(), id: SUBJECT }),
    'signing keys that the client holds': async () => held(),

    'a score with its parts': scored('example=current_score'),
    'a score of a backend that names few parts': scored('example=score_of_a_backend'),
    'a score that a cap lowers': scored('example=capped_score'),
    'a container repository': scored('example=container'),
    'an old name of a repository': scored('example=old_name'),
    'an earlier score': scored('example=current_score'),
    // The mock pages through the entries of its examples only if no example is selected.
    'scores on several pages': async () => ({ ...(await scored('code=200')()), ...asked() }),
    'a subject without a score in its history': scored('example=empty'),
    'a score that changed': scored('example=changed'),
    'a score that has not changed': scored('example=unchanged'),
    'scores that cannot be computed again': scored('example=scores_of_a_backend'),
    'an explanation that the client holds': heldScore,
    'a history that the client holds': heldScore,
    'a difference that the client holds': heldScore,
    'a cursor of another history': async () => ({
      ...(await scored('code=400, example=foreign_cursor')()),
      cursor: 'W10',
    }),
    'a time before the first score': scored('code=404, example=no_score_then'),
    'times of scores in the wrong order': scored('code=400, example=times_reversed'),
    'packages of a lock file': async () => ({
      ...asked(),
      subjects: [{ subject: 'npm:mcp-remote@0.1.15' }, { subject: 'npm:@google/gemini-cli' }],
    }),
    'subjects of several forms': async () => ({
      ...asked(),
      subjects: [
        { subject: 'google-gemini/gemini-cli', type: 'agent' },
        { subject: 'example-labs' },
        { subject: 'example-labs/nothing-of-that-name' },
        { subject: 'example-labs/withdrawn-agent' },
        { subject: '' },
      ],
    }),

    'a version of a listed package': async () => ({
      ...asked('example=package_version'),
      id: '0f6c2f0e-5f0c-4c39-9d8e-2b7a1c4d5e6f',
      label: 'npm:mcp-mermaid@0.6.1',
    }),
    'changes on several pages': changes('example=with_next_page'),
    'a removed listing': async () => ({ ...(await changes('example=with_next_page')()), id: 'AGT-9D2KVE4Q' }),
    'nothing new': changes('example=nothing_new'),
    'changes that the client holds': async () => ({ ...held(), cursor: CHANGE_CURSOR }),
    'a cursor of another feed': async () => ({ ...asked('code=400, example=foreign_cursor'), cursor: 'W10' }),
    'a cursor whose changes are no longer kept': changes('code=410'),

    'a version with an advisory': packaged('example=affected', 'npm:mcp-remote@0.1.15'),
    'a listed package without an advisory': async () => ({
      ...asked('example=not_affected'),
      named: 'npm:@google/gemini-cli',
      id: SUBJECT,
    }),
    'a package of a registry whose advisories were not read': packaged(
      'example=unknown',
      'pypi:example-notes==1.0.0',
    ),
    'a package that its registry does not have': packaged('example=missing', 'npm:example-unpublished'),
    'a package that the client holds': async () => ({ ...held(), named: 'npm:mcp-remote' }),
    'a tag in place of a version': packaged('code=400, example=malformed_version', 'npm:mcp-remote@latest'),

    'an agent that was delisted': agent('code=410'),
    'a subject that was delisted': async () => ({
      ...asked('code=410'),
      id: SUBJECT,
      label: 'example-labs/old-agent',
      type: 'agent',
    }),
    'a repository that was delisted': registration('code=410'),
    'an operation on what was delisted': run('code=404, example=subject_delisted'),

    'an account that may register': registration(),
    'a repository on a host that is not allowed': registration('code=400, example=host_not_allowed'),
    'a parent that nobody listed': registration('code=400, example=unknown_parent'),
    'a registration without a credential': async () => ({ client: clientWith({}), body: REGISTRATION }),
    'a registration with an unknown key': registration('code=401, example=malformed_or_unknown'),
    'a registration with an expired key': registration('code=401, example=expired'),
    'a registration with a revoked key': registration('code=401, example=revoked'),
    'a registration with a paused key': registration('code=401, example=paused'),
    'a registration without the scope': registration('code=403, example=missing_scope'),
    'a repository that is registered': registration('code=409'),
    'a listed repository of the proved owner': registration('code=200'),
    'a registration that has worked under its key': async () => ({
      ...asked(),
      body: { ...REGISTRATION, idempotency_key: 'registered' },
      id: 'AGT-5N6TYV2H',
    }),
    'a key of another registration': registration('code=422'),
    'a registration in a console session': async () => ({
      client: clientWith({ ...session }),
      body: REGISTRATION,
    }),
    'a registration in a session from another site': async () => ({
      client: clientWith({ ...session, Origin: 'https://other.example' }),
      body: REGISTRATION,
    }),
    'a registration with a key out of requests': registration('code=429'),

    'a listed agent': run(undefined, { operation: 'agent_score' }),
    'a listed skill': run(undefined, { operation: 'skill_score' }),
    'an operation that was settled before': async () => {
      const { client, body } = await run()();
      await client.POST('/api/svc/operations/run', { body });
      return { client, body };
    },
    'an operation without a credential': async () => ({ client: clientWith({}), body: newRun() }),
    'an operation with an unknown key': run('code=401, example=malformed_or_unknown'),
    'an operation with an expired key': run('code=401, example=expired'),
    'an operation with a revoked key': run('code=401, example=revoked'),
    'an operation with a paused key': run('code=401, example=key_inactive'),
    'an empty balance': run('code=402'),
    'a key that has reached its limit': run('code=402, example=key_limit_exceeded'),
    'an operation without the scope': run('code=403, example=insufficient_scope'),
    'an operation that names another key': run(undefined, {
      api_key_id: randomUUID(),
    }),
    'a subject that nobody knows': run(undefined, { subject: 'example-labs/no-such-agent' }),
    'a name of several subjects': run(undefined, { operation: 'skill_score', subject: 'github-mcp-server' }),
    'an operation under way': run('code=409, example=idempotency_in_progress'),
    'a key that was used for another subject': async () => {
      const { client, body } = await run()();
      await client.POST('/api/svc/operations/run', { body });
      return { client, body: { ...body, subject: 'another/subject' } };
    },
    'an operation with a key out of requests': run('code=429'),
    'an address with too many failed credentials': run('code=429, example=failed_credentials'),
    'an idempotency key that failed too often': run('code=429, example=too_many_attempts'),
    'a backend without a usable score': run('code=502'),

    ...meteredStates(clientWith, session),
    ...consoleStates(clientWith, session),
    ...billingStates(clientWith, session),
  };
}

function newRun(): RunBody {
  return {
    operation: 'agent_score',
    subject: 'example-labs/changelog-agent',
    idempotency_key: randomUUID(),
  };
}
