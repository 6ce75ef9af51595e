import type { ComponentChildren } from 'preact';
import { isKnownPlatform } from '../../subjects/platforms.ts';
import { Fact, Foreign, formatCount, formatPercent, Moment, OutsideLink } from '../../ui/text.tsx';
import { BadgeSection } from '../badge/badge-section.tsx';
import { SnippetsSection } from '../badge/snippets-section.tsx';
import { Heading } from '../score/heading.tsx';
import { ScoreSection } from '../score/score-section.tsx';
import { NO_REPOSITORY } from '../score/sources.ts';
import type { AccountFactsShown, AccountPage } from './account-page-data.ts';

const CROSS_LINKS = {
  both: 'in both directions',
  one: 'in one direction',
  none: 'no link',
} as const;

/** Platforms that do not write themselves with one capital at the beginning. */
const SPELLINGS = new Map([
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
]);

/** True for a domain that is reserved for examples (RFC 2606): nothing is ever there. */
function isExample(platform: string): boolean {
  return /(?:^|\.)example$/.test(platform);
}

/** The page of a social or messaging account, channel or bot. */
export function AccountView({ page, site }: { page: AccountPage; site: string }) {
  const { subject, facts, score } = page;
  const apiPath = `/api/subjects/${subject.id}`;
  const type = subject.type === 'social_account' ? 'social' : 'messaging';
  return (
    <>
      <Heading
        kind={`${type} ${facts.kind} on ${platformTitle(facts.platform)}`}
        name={subject.name}
        description=""
        score={score}
        warning={facts.scamFlag === true ? 'Its platform marks it as a scam.' : null}
      >
        <p>
          <OutsideLink href={facts.url}>@{facts.handle}</OutsideLink>{' '}
          {facts.scamFlag === true && (
            <span class="chip verdict warning">the platform marks it as a scam</span>
          )}
        </p>
        {isExample(facts.platform) && (
          <p class="notice">An example to try calls with: this account does not exist.</p>
        )}
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} places={{ ...NO_REPOSITORY, apiPath }} />
          {score === null && <FactsSection page={page} />}
        </div>
        <div class="stack">
          {score !== null && <FactsSection page={page} />}
          <BadgeSection subject={subject} score={score} site={site} />
          <SnippetsSection apiPath={apiPath} sdkCall={`client.subjects.get('${subject.id}')`} site={site} />
        </div>
      </div>
    </>
  );
}

function FactsSection({ page }: { page: AccountPage }) {
  const { facts } = page;
  const { createdAt, lastPostAt, observedAt, crossLink, formerHandles } = facts;
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">Platform profile</h2>
      <dl class={page.score === null ? 'facts' : undefined}>
        <Fact name="Stated owner">{ownerOf(page)}</Fact>
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
        <Fact name="Last read">{observedAt && <Moment at={observedAt} />}</Fact>
        <Fact name="Source">
          <Foreign>{facts.source}</Foreign>
        </Fact>
      </dl>
      <p class="muted small">The source states the owner. Only links in both directions prove it.</p>
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

/** As the platform writes itself; a host that is no known platform stays as it is. */
function platformTitle(name: string): string {
  if (!isKnownPlatform(name)) return name;
  return SPELLINGS.get(name) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function audienceName({ kind }: AccountFactsShown): string {
  return { account: 'Followers', channel: 'Members', bot: 'Monthly users' }[kind];
}

function yesOrNo(flag: boolean | null): string | null {
  return flag === null ? null : flag ? 'yes' : 'no';
}

function percent(ratio: number | null): string | null {
  return ratio === null ? null : formatPercent(ratio);
}
