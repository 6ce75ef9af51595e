import { accountClaimPath } from '../../ui/claim-path.ts';
import { Foreign, formatCount, formatScore } from '../../ui/text.tsx';
import { BadgeSection } from '../badge/badge-section.tsx';
import { SnippetsSection } from '../badge/snippets-section.tsx';
import { AgentRows } from '../list/agent-rows.tsx';
import { PageLinks } from '../list/page-links.tsx';
import { PAGE_SIZE } from '../list/page-query.ts';
import { RelationsList } from '../relations/relations-list.tsx';
import { Heading } from '../score/heading.tsx';
import { ScoreSection } from '../score/score-section.tsx';
import { NO_REPOSITORY } from '../score/sources.ts';
import { AccountRows } from './account-rows.tsx';
import type { CreatorPage } from './creator-page-data.ts';

/** The page of a creator: their own score, the accounts proved to be theirs, and what they list. */
export function CreatorView({ page, site }: { page: CreatorPage; site: string }) {
  const { identity, score, proved } = page;
  const { host } = identity;
  const [, handle = ''] = identity.publicPath.slice(1).split('/');
  const apiPath = `/api/identity/${handle}`;
  const creator = { handle: identity.handle, path: identity.publicPath };
  const places = { ...NO_REPOSITORY, creator, apiPath };
  return (
    <>
      <Heading
        kind={host === 'directory' ? 'creator in this directory' : `creator on ${host}`}
        name={identity.displayName ?? identity.handle}
        description=""
        score={score}
      >
        <p>
          <Foreign>@{identity.handle}</Foreign>{' '}
          <span class="chip tag">{identity.verified ? 'verified' : 'not verified'}</span>
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <Listings page={page} />
          <ScoreSection score={score} places={places} />
          {page.relations.length > 0 && (
            <section class="card" aria-labelledby="lineage">
              <h2 id="lineage">Origins and copies</h2>
              <p class="muted small">
                How sources relate these agents and skills to others. None of this is an endorsement.
              </p>
              <RelationsList groups={page.relations} />
            </section>
          )}
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="accounts">
            <h2 id="accounts">Accounts</h2>
            <dl>
              <AccountRows accounts={{ ...identity, proved }} />
            </dl>
          </section>
          {!identity.verified && host !== 'directory' && (
            <section class="card claim" aria-labelledby="claim">
              <h2 id="claim">Is it you?</h2>
              <p class="small">Prove that this account is yours to verify it and its agents and skills.</p>
              <p>
                <a class="button primary" href={accountClaimPath({ host, handle: identity.handle })}>
                  Claim it
                </a>
              </p>
            </section>
          )}
          <section class="card" aria-labelledby="standing">
            <h2 id="standing">Portfolio</h2>
            <dl>
              <dt>Agents and skills</dt>
              <dd>{formatCount(identity.listingCount)}</dd>
              <dt>Trust equity</dt>
              <dd>{formatScore(identity.trustEquity)}</dd>
            </dl>
            <p class="muted small">Trust equity: how much trusted work by others builds on this creator's.</p>
          </section>
          <BadgeSection
            subject={{ ...SUBJECT, id: identity.id, name: identity.handle, publicPath: identity.publicPath }}
            score={score}
            site={site}
          />
          <SnippetsSection
            apiPath={apiPath}
            sdkCall={`client.identities.get('${decodeURIComponent(handle).replaceAll(/['\\\n\r]/g, '\\$&')}')`}
            site={site}
          />
        </div>
      </div>
    </>
  );
}

const SUBJECT = { type: 'creator', repository: null, agentId: null, source: '', sourceId: '' } as const;

function Listings({ page: { identity, listings, offset } }: { page: CreatorPage }) {
  const total = identity.listingCount;
  const addressOf = (start: number) =>
    start === 0 ? identity.publicPath : `${identity.publicPath}?page=${start / PAGE_SIZE + 1}`;
  return (
    <section class="card" aria-labelledby="listings">
      <h2 id="listings">Agents and skills</h2>
      {listings.length === 0 ? (
        <p>
          {total === 0 ? (
            'Nothing is listed under this creator yet.'
          ) : (
            <a href={identity.publicPath}>There are no more entries. Go to the first page</a>
          )}
        </p>
      ) : (
        <AgentRows agents={listings} start={offset + 1} level={3} showsCreator={false} />
      )}
      <PageLinks offset={offset} shown={listings.length} total={total} addressOf={addressOf} />
    </section>
  );
}
