import { type KeyPage, readKeys } from '../../keys/list-keys.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Page } from '../frame/answer.ts';
import type { Visit } from '../frame/visit.ts';
import { KeyList, type KeyStretch } from './key-list-view.tsx';
import { KEY_STATES, type KeyState } from './key-states.ts';

const PAGE_SIZE = 20;

/** The states that still matter, where the address asks for none. */
const USUAL: readonly KeyState[] = ['active', 'inactive'];

/** The account's keys: those at work and those paused, or one state of them, page by page. */
export async function showKeys({ database, planBook }: ConsoleParts, visit: Visit): Promise<Page> {
  const { accountId, account, query } = visit;
  const { plan } = await account();
  const asked = KEY_STATES.find((state) => state === query.get('state')) ?? null;
  const stretches: KeyStretch[] = [];
  let slots = { active: 0, limit: 0 };
  for (const state of asked === null ? USUAL : [asked]) {
    const cursor = asked === null ? null : query.get('cursor');
    const page: KeyPage = await readKeys(
      database,
      planBook,
      { accountId, plan },
      { state, cursor, limit: PAGE_SIZE },
    );
    stretches.push({ state, keys: page.keys, nextCursor: page.nextCursor });
    slots = page;
  }
  const content = (
    <KeyList
      stretches={stretches}
      slots={{ plan, taken: slots.active, limit: slots.limit }}
      asked={asked}
      query={query}
    />
  );
  return { title: 'Keys', tab: 'keys', content };
}
