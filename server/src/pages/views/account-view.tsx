import type { ComponentChildren } from 'preact';
import type { AccountFactsShown, AccountPage } from '../account-page-data.ts';
import { Heading } from './heading.tsx';
import { ScoreSection } from './score-section.tsx';
import { Foreign, formatCount, Moment, OutsideLink } from './text.tsx';

const PERCENT = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 2 });

const CROSS_LINKS = {
  both: 'in both directions',
  one: 'in one direction',
  none: 'no link',
} as const;

/** The page of a social or messaging account, channel or bot. */
export function AccountView({ page }: { page: AccountPage }) {
  const { subject, facts, score } = page;
  const type = subject.type === 'social_account' ? 'social' : 'messaging';
  return (
    <>
      <Heading
        kind={`${type} ${facts.kind} on ${facts.platform}`}
        name={subject.name}
        description=""
        score={score}
      >
        <p>
          <OutsideLink href={facts.url}>@{facts.handle}</OutsideLink>{' '}
          {facts.scamFlag === true && <span class="chip low">the platform marks it as a scam</span>}
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} />
        </div>
        <aside class="stack">
          <FactsSection page={page} />
          <section class="card">
            <h2>Check it yourself</h2>
            <p>
              <a href={`/api/subjects/${subject.id}`}>The same record from the API</a>
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}

function FactsSection({ page }: { page: AccountPage }) {
  const { facts } = page;
  const { createdAt, lastPostAt, observedAt, crossLink, formerHandles } = facts;
  return (
    <section class="card">
      <h2>What its platform shows</h2>
      <dl>
        <Fact name="Owner, as stated">{ownerOf(page)}</Fact>
        <Fact name="Verified mark">{yesOrNo(facts.verifiedMark)}</Fact>
        <Fact name="Created">{createdAt && <Moment at={createdAt} />}</Fact>
        <Fact name={audienceName(facts)}>{facts.audience === null ? null : formatCount(facts.audience)}</Fact>
        <Fact name="Growth in one day">{percent(facts.audienceDayGrowth)}</Fact>
        <Fact name="Engagement">{percent(facts.engagement)}</Fact>
        <Fact name="Last post">{lastPostAt && <Moment at={lastPostAt} />}</Fact>
        <Fact name="Linked with the repository host">{crossLink && CROSS_LINKS[crossLink]}</Fact>
        {formerHandles.length > 0 && (
          <Fact name="Former handles">
            <Foreign>{formerHandles.join(', ')}</Foreign>
          </Fact>
        )}
        <Fact name="Read on">{observedAt && <Moment at={observedAt} />}</Fact>
        <Fact name="Source">
          <Foreign>{facts.source}</Foreign>
        </Fact>
      </dl>
      <p class="muted small">
        A stated owner is what the source says; only a link in both directions shows that it is so.
      </p>
    </section>
  );
}

function ownerOf({ owner, facts }: AccountPage): ComponentChildren {
  if (owner === null) return facts.ownerHandle && <Foreign>{facts.ownerHandle}</Foreign>;
  return (
    <a href={owner.path}>
      <Foreign>{owner.text}</Foreign>
    </a>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? <span class="muted">not known</span>}</dd>
    </>
  );
}

function audienceName({ kind }: AccountFactsShown): string {
  return { account: 'Followers', channel: 'Members', bot: 'Monthly users' }[kind];
}

function yesOrNo(flag: boolean | null): string | null {
  return flag === null ? null : flag ? 'yes' : 'no';
}

function percent(ratio: number | null): string | null {
  return ratio === null ? null : PERCENT.format(ratio);
}
