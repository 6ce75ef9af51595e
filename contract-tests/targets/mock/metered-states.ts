import { randomUUID } from 'node:crypto';
import type { ApiClient, RunBody, StateMakers } from '../states.ts';

const KEY = { Authorization: 'Bearer svc_live_any' };
const OWN_KEY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const RECEIPT = '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47';
const CURSOR =
  'WyIyMDI2LTExLTIwVDA5OjE0OjAzLjQ2MDIxOFoiLCIwMWExZjgzYi1mYTU3LTdjNDEtOWUwYi01ZDJmOGE2YzFlNDciXQ';

/** Selects the examples for the states of metered calls from the console, and of callers who read receipts. */
export function meteredStates(
  clientWith: (headers: Record<string, string>) => ApiClient,
  session: Record<string, string>,
) {
  const asked = (prefer?: string, credential: Record<string, string> = KEY) => ({
    client: clientWith({ ...credential, ...(prefer && { Prefer: prefer }) }),
  });
  const about =
    (operation: RunBody['operation'], subject: string, credential = KEY as Record<string, string>) =>
    async () => ({
      ...asked(undefined, credential),
      body: { operation, subject, idempotency_key: randomUUID() },
    });
  const inSession =
    (prefer: string | undefined, changes: Partial<RunBody> = {}) =>
    async () => {
      const { body } = await about('agent_score', 'example-labs/changelog-agent')();
      return { ...asked(prefer, session), body: { ...body, ...changes } };
    };
  const receipt = (prefer: string) => async () => ({ ...asked(prefer), ledgerId: RECEIPT });
  const reader = (prefer: string) => async () => asked(prefer);

  return {
    'a listed agent with a parent': async () => ({
      ...(await about('agent_skill_lineage', 'QwenLM/qwen-code')()),
      ...asked('code=200, example=unscored_creator'),
      parentId: '52f8c1b7-6e04-4a9d-b2f3-a0c76d98e415',
    }),
    'a creator with a listing': about('creator_score', '@example-labs'),
    'a listed social account': about('social_account_score', 'x:example_labs'),
    'a listed messaging account': about('messenger_account_score', 'telegram:example_labs_news'),
    'an operation in a console session': about('agent_score', 'example-labs/changelog-agent', session),
    'an operation in a console session for one of its keys': inSession(undefined, { api_key_id: OWN_KEY }),
    'an operation in a session that has ended': inSession('code=401, example=session_ended'),
    'an operation in a session that names a paused key': inSession('code=403, example=key_inactive'),
    'an operation in a session that names a foreign key': inSession(undefined, { api_key_id: randomUUID() }),
    'an operation in a session from another site': about('agent_score', 'example-labs/changelog-agent', {
      ...session,
      Origin: 'https://other.example',
    }),

    'a receipt of a settled call': receipt('example=settled'),
    'a receipt of a failed call': receipt('example=failed'),
    'a receipt of a call under way': receipt('example=under_way'),
    'a receipt of another account': receipt('code=404'),
    'receipts on several pages': async () => ({ ...asked('example=with_next_page'), cursor: CURSOR }),
    'an account without receipts': reader('example=empty'),
    'a cursor of another list of receipts': reader('code=400, example=foreign_cursor'),
    'a key with a limit and a call': async () => ({
      ...asked(),
      id: '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55',
    }),
    'a reader without the scope': reader('code=403, example=missing_scope'),
    'a reader without a credential': async () => ({ client: clientWith({}) }),
    'a reader with an unknown key': reader('code=401, example=malformed_or_unknown'),
    'a reader with a revoked key': reader('code=401, example=revoked'),
    'a reader in a session that has ended': async () => asked('code=401, example=session_ended', session),
    'a reader with a key out of requests': reader('code=429'),
  } satisfies Partial<StateMakers>;
}
