import type { PageLink, PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { NO_SOURCE_LINKS } from '../../../directory/explanations/signal-sources.ts';
import type { Identity } from '../../../directory/get-identity.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { ForeignText, formatCount, formatScore } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { accountClaimPath, claimPath } from '../../components/owner-steps.tsx';
import { BadgeSection, SnippetsSection } from '../badge/badge-section.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { ListingRows } from '../list/listing-rows.tsx';
import { PAGE_SIZE, PageLinks } from '../list/page-links.tsx';
import type { ShownGroup } from '../relations/linked-relations.ts';
import { RelationsList } from '../relations/relations-list.tsx';
import { RaiseSection, waysOf } from '../score/owner-sections.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { ScoreSection } from '../score/score-section.tsx';
import { SubjectHeading, subjectLayout } from '../score/subject-heading.tsx';
import { AccountRows } from './account-rows.tsx';

/** Renders the page of a creator: listings with their relations, the creator's own score, and accounts. */
function CreatorView({ page, site }: { page: CreatorPage; site: string }) {
  const { identity, score, proved } = page;
  const { host } = identity;
  const [, handle = ''] = identity.publicPath.slice(1).split('/');
  const apiPath = `/api/identity/${handle}`;
  const creator = { handle: identity.handle, path: identity.publicPath };
  const places = { ...NO_SOURCE_LINKS, creator, apiPath };
  // A handle that exists only in this directory names no account on another site, so the claim form starts empty.
  const claimHref =
    host === 'directory' ? claimPath('') : accountClaimPath({ host, handle: identity.handle });
  return (
    <>
      <SubjectHeading
        kind={host === 'directory' ? 'creator in this directory' : `creator on ${host}`}
        name={identity.displayName ?? identity.handle}
        description=""
        score={score}
      >
        <p>
          <ForeignText>@{identity.handle}</ForeignText>{' '}
          <span class="chip tag">{identity.verified ? 'verified' : 'not verified'}</span>
        </p>
      </SubjectHeading>
      <div class="grid">
        <div class="stack">
          <Listings page={page} />
          <ScoreSection score={score} places={places} />
          <RaiseSection ways={waysOf(score, SUBJECT)} type="creator" claimHref={claimHref} />
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
                <a class="button primary" href={claimHref}>
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
        <ListingRows agents={listings} start={offset + 1} level={3} showsCreator={false} />
      )}
      <PageLinks offset={offset} shown={listings.length} total={total} addressOf={addressOf} />
    </section>
  );
}

/** Renders the HTML document of a creator. */
export function creatorDocument(page: CreatorPage, publicUrls: PublicUrls): string {
  const { id, displayName, handle, publicPath } = page.identity;
  const subject = { type: 'creator', name: displayName ?? handle, publicPath } as const;
  return renderDocument(
    <Layout {...subjectLayout(subject, id, page.score, publicUrls)} unlisted={page.offset > 0}>
      <CreatorView page={page} site={siteOrigin(publicUrls)} />
    </Layout>,
  );
}

/** Data that the pages of listings and artifacts show about their creator. */
export interface CreatorCard extends PageLink, DisplayedCreatorAccounts {
  handle: string;
  host: string;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  lowerBound: number | null;
  /** True if trust and confidence are only the method's defaults, because nothing was observed. */
  restsOnDefaults: boolean;
}

/** Stored data about a creator's accounts on other sites. */
export interface DisplayedCreatorAccounts {
  handle: string;
  proved: ProvedAccount[];
  /**
   * True if the creator owns `io.github.<handle>` in the MCP registry, which assigns this namespace only to the owner of
   * that GitHub account.
   */
  hasRegistryNamespace: boolean;
}

/** A former creator of a listing; `until` is when the listing passed to another creator. */
export interface FormerCreator extends PageLink {
  until: string;
}

/** An account on another site with a valid proof, and the time when the proof was last checked. */
export interface ProvedAccount {
  kind: string;
  host: string;
  handle: string;
  checkedAt: string;
}

export interface CreatorPage {
  identity: Identity;
  score: ScoreDetail | null;
  proved: ProvedAccount[];
  /** One page of the creator's listings; `offset` is the number of listings before it. */
  listings: ListedAgent[];
  offset: number;
  /** Relations between the creator's listings and other listings. */
  relations: ShownGroup[];
}
