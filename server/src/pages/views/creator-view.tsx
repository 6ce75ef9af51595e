import type { CreatorPage } from '../page-data.ts';
import { AgentRows } from './agent-rows.tsx';
import { Heading } from './heading.tsx';
import { ScoreSection } from './score-section.tsx';
import { Foreign, formatCount, formatScore } from './text.tsx';

/** The page of a creator: their own score, and what they list. */
export function CreatorView({ page }: { page: CreatorPage }) {
  const { identity, score, listings } = page;
  const { host } = identity;
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
          <span class="chip">{identity.verified ? 'verified' : 'not verified'}</span>
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} />
          <section class="card" aria-labelledby="listings">
            <h2 id="listings">Agents and skills</h2>
            {listings.length === 0 && <p>Nothing is listed under this creator yet.</p>}
            <AgentRows agents={listings} />
            {identity.listingCount > listings.length && (
              <p class="small">
                The first {formatCount(listings.length)} of {formatCount(identity.listingCount)}.
              </p>
            )}
          </section>
        </div>
        <aside class="stack">
          <section class="card">
            <h2>Creator</h2>
            <dl>
              <dt>Agents and skills</dt>
              <dd>{formatCount(identity.listingCount)}</dd>
              <dt>Trust equity</dt>
              <dd>{formatScore(identity.trustEquity)}</dd>
            </dl>
            <p class="muted small">
              Trust equity is how much trusted work of others derives from this creator's.
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}
