import { Foreign, formatConfidence, formatTrust, Moment } from '../../ui/text.tsx';
import { NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { AccountRows } from './account-rows.tsx';
import type { CreatorCard, FormerCreator } from './creator-page-data.ts';

interface CreatorSectionProps {
  creator: CreatorCard;
  /** Whose it was before, latest first. */
  former?: readonly FormerCreator[];
}

/** Who made it: a score of its own kind, the accounts proved to be theirs, and whose it was before. */
export function CreatorSection({ creator, former = [] }: CreatorSectionProps) {
  const { path, text, handle, trust, confidence, lowerBound } = creator;
  return (
    <section class="card" aria-labelledby="creator">
      <h2 id="creator">Creator</h2>
      <p>
        <a href={path}>
          <Foreign>{text}</Foreign>
        </a>{' '}
        <span class="chip tag">{creator.verified ? 'verified' : 'not verified'}</span>
      </p>
      {trust !== null && lowerBound !== null && !creator.restsOnDefaults && (
        <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />
      )}
      <dl>
        {text !== handle && (
          <>
            <dt>Handle</dt>
            <dd>
              <Foreign>@{handle}</Foreign>
            </dd>
          </>
        )}
        <dt>Creator's trust</dt>
        {trust === null || confidence === null || creator.restsOnDefaults ? (
          <dd class="muted">{trust === null ? 'no score yet' : NOT_ENOUGH.toLowerCase()}</dd>
        ) : (
          <>
            <dd>{formatTrust(trust)}</dd>
            <dt>Confidence</dt>
            <dd>{formatConfidence(confidence)}</dd>
          </>
        )}
        <AccountRows accounts={creator} />
        {former.map((each) => (
          <Former key={each.path} former={each} />
        ))}
      </dl>
    </section>
  );
}

function Former({ former: { path, text, until } }: { former: FormerCreator }) {
  return (
    <>
      <dt>Before</dt>
      <dd>
        <a href={path}>
          <Foreign>{text}</Foreign>
        </a>
      </dd>
      <dd class="whole note">
        until <Moment at={until} />
      </dd>
    </>
  );
}
