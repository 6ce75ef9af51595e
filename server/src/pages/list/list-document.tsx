import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { Addressed } from '../../subjects/find-addressed.ts';
import type { Naming } from '../../subjects/naming.ts';
import { FIND_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import { AddressNote } from './address-note.tsx';
import type { ListCounts } from './facets.tsx';
import { ListView } from './list-view.tsx';
import { type PageList, pageAddress } from './page-query.ts';

const ABOUT =
  'Agents and skills: who made them, where they come from, how far the evidence speaks for them, and how sure that is.';

/** The directory, one page of it, with the counts that its filters show, and what an address in the search box names. */
export function listDocument(
  list: PageList,
  agents: readonly ListedAgent[],
  total: number,
  counts: ListCounts,
  naming: Naming,
  addressed: Addressed | null = null,
): string {
  const title = list.q === null ? 'Trust Directory' : `${list.q} · Trust Directory`;
  const address = pageAddress(list, list.offset);
  const url = absoluteAddress(address, naming);
  return toDocument(
    <Layout
      title={title}
      canonical={url}
      shared={{ url, description: ABOUT }}
      unlisted={address !== '/'}
      hasOwnSearch={true}
      style={FIND_STYLE_PATH}
    >
      <ListView
        list={list}
        agents={agents}
        total={total}
        counts={counts}
        note={addressed && <AddressNote addressed={addressed} hasResults={total > 0} naming={naming} />}
      />
    </Layout>,
  );
}
