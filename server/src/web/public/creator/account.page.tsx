import type { ComponentChildren } from 'preact';
import { isKnownPlatform } from '../../../catalog/subjects/platforms.ts';
import type { PageLink, PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { NO_SOURCE_LINKS } from '../../../directory/explanations/signal-sources.ts';
import {
  ExternalLink,
  Fact,
  ForeignText,
  formatCount,
  formatPercent,
  Moment,
} from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { accountClaimPath } from '../../components/owner-steps.tsx';
import { BadgeSection, SnippetsSection } from '../badge/badge-section.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { RaiseSection, waysOf } from '../score/owner-sections.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { ScoreSection } from '../score/score-section.tsx';
import { SubjectHeading, subjectLayout } from '../score/subject-heading.tsx';

const CROSS_LINKS = {
  both: 'in both directions',
  one: 'in one direction',
  none: 'no link',
} as const;

/** Names of platforms that have a capital letter inside the word. */
const SPELLINGS = new Map([
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
]);

/** Returns true for the top-level domain `example`, which RFC 2606 reserves for examples, and for domains under it. */
function isExample(platform: string): boolean {
  return /(?:^|\.)example$/.test(platform);
}

/** Renders the page of an account, channel or bot on a social or messaging platform. */
function AccountView({ page, site }: { page: AccountPage; site: string }) {
  const { subject, facts, score } = page;
  const apiPath = `/api/subjects/${subject.id}`;
  const type = subject.type === 'social_account' ? 'social' : 'messaging';
  return (
    <>
      <SubjectHeading
        kind={`${type} ${facts.kind} on ${platformTitle(facts.platform)}`}
        name={subject.name}
        description=""
        score={score}
        warning={facts.scamFlag === true ? 'Its platform marks it as a scam.' : null}
      >
        <p>
          <ExternalLink href={facts.url}>@{facts.handle}</ExternalLink>{' '}
          {facts.scamFlag === true && (
            <span class="chip verdict warning">the platform marks it as a scam</span>
          )}
        </p>
        {isExample(facts.platform) && (
          <p class="notice">This account is an example for trial calls. It does not exist.</p>
        )}
      </SubjectHeading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} places={{ ...NO_SOURCE_LINKS, apiPath }} />
          <RaiseSection
            ways={waysOf(score, subject)}
            type={subject.type}
            claimHref={accountClaimPath({ host: facts.platform, handle: facts.handle })}
          />
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
        <Fact name="Mark of its platform">{yesOrNo(facts.verifiedMark)}</Fact>
        <Fact name="Created">{createdAt && <Moment at={createdAt} />}</Fact>
        <Fact name={audienceName(facts)}>{facts.audience === null ? null : formatCount(facts.audience)}</Fact>
        <Fact name="Growth in one day">{percent(facts.audienceDayGrowth)}</Fact>
        <Fact name="Engagement">{percent(facts.engagement)}</Fact>
        <Fact name="Last post">{lastPostAt && <Moment at={lastPostAt} />}</Fact>
        <Fact name="Linked with the repository host">{crossLink && CROSS_LINKS[crossLink]}</Fact>
        {formerHandles.length > 0 && (
          <Fact name="Former handles">
            <ForeignText>{formerHandles.join(', ')}</ForeignText>
          </Fact>
        )}
        <Fact name="Last read">{observedAt && <Moment at={observedAt} />}</Fact>
        <Fact name="Source">
          <ForeignText>{facts.source}</ForeignText>
        </Fact>
      </dl>
      <p class="muted small">
        The source states the owner, the mark and the links.{' '}
        {isProved(page) ? 'Only the account itself is verified here.' : 'None of them is verified here.'}
      </p>
    </section>
  );
}

/** Returns true if the owner has proved in this directory that the account is theirs. */
function isProved({ score }: AccountPage): boolean {
  const facts = score?.facts ?? null;
  return facts !== null && 'proved' in facts && facts.proved?.value === true;
}

function ownerOf({ owner, facts }: AccountPage): ComponentChildren {
  if (owner === null) return facts.ownerHandle && <ForeignText>{facts.ownerHandle}</ForeignText>;
  return (
    <a href={owner.path}>
      <ForeignText>{owner.text}</ForeignText>
    </a>
  );
}

/** Returns the usual spelling of a known platform's name. Other names, which are hosts, stay unchanged. */
function platformTitle(name: string): string {
  if (!isKnownPlatform(name)) return name;
  return SPELLINGS.get(name) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function audienceName({ kind }: DisplayedAccountFacts): string {
  return { account: 'Followers', channel: 'Members', bot: 'Monthly users' }[kind];
}

function yesOrNo(flag: boolean | null): string | null {
  return flag === null ? null : flag ? 'yes' : 'no';
}

function percent(ratio: number | null): string | null {
  return ratio === null ? null : formatPercent(ratio);
}

/** Renders the HTML document of a social or messaging account. */
export function accountDocument(page: AccountPage, publicUrls: PublicUrls): string {
  return renderDocument(
    <Layout {...subjectLayout(page.subject, page.subject.id, page.score, publicUrls)}>
      <AccountView page={page} site={siteOrigin(publicUrls)} />
    </Layout>,
  );
}

/**
 * Account facts as a source read them from the platform. Null means unknown. Times are ISO 8601. Growth and engagement
 * are ratios: 1 is 100%.
 */
export interface DisplayedAccountFacts {
  kind: 'account' | 'channel' | 'bot';
  platform: string;
  handle: string;
  url: string | null;
  formerHandles: string[];
  ownerHandle: string | null;
  createdAt: string | null;
  verifiedMark: boolean | null;
  audience: number | null;
  audienceDayGrowth: number | null;
  engagement: number | null;
  lastPostAt: string | null;
  crossLink: 'both' | 'one' | 'none' | null;
  scamFlag: boolean | null;
  observedAt: string | null;
  source: string;
}

/** Data of the page of a social or messaging account. */
export interface AccountPage {
  subject: ResolvedSubject;
  facts: DisplayedAccountFacts;
  /** Creator that a source names as the owner; null if this directory does not have that creator. */
  owner: PageLink | null;
  score: ScoreDetail | null;
}
