import type { ComponentChildren } from 'preact';
import type { ObservedFact, ObservedFacts } from '../../../catalog/facts/observed-facts.ts';
import { containerOf } from '../../../directory/agents/agent.presenter.ts';
import type { AgentRecord } from '../../../directory/agents/agent-record.ts';
import type { ReasonCode } from '../../../scoring/verdict/reasons.ts';
import {
  ExternalLink,
  Fact,
  ForeignText,
  formatCount,
  formatDay,
  Moment,
} from '../../components/formatting.tsx';
import { figuresText } from '../../components/score-figures.tsx';
import type { ListingPage } from './listing.page.tsx';

/** Shows the repository's URL, figures and licence, and the source and dates of its listing. */
export function RepositorySection({ page }: { page: ListingPage }) {
  const { figuresAt } = page.facts;
  const { stars, forks, openIssues, lastCommitAt, repositoryUrl, listedAt, updatedAt } = page.record;
  const hasFigures = [stars, forks, openIssues, lastCommitAt].some((figure) => figure !== null);
  return (
    <section class="card" aria-labelledby="repository">
      <h2 id="repository">Repository</h2>
      <p>
        <ExternalLink href={repositoryUrl}>{page.subject.repository}</ExternalLink>
      </p>
      {page.facts.homepage !== null && (
        <p>
          <ExternalLink href={page.facts.homepage}>{page.facts.homepage}</ExternalLink>
        </p>
      )}
      <dl>
        <Fact name="Stars">{stars === null ? null : formatCount(stars)}</Fact>
        <Fact name="Forks">{forks === null ? null : formatCount(forks)}</Fact>
        <Fact name="Open issues">{openIssues === null ? null : formatCount(openIssues)}</Fact>
        <Fact name="Last commit">
          {lastCommitAt === null ? null : <Moment at={lastCommitAt.toISOString()} />}
        </Fact>
        {figuresAt !== null && hasFigures && (
          <Fact name="Figures as of">
            <Moment at={figuresAt} />
          </Fact>
        )}
        <Fact name="Licence">
          {page.record.license === null ? null : <ForeignText>{page.record.license}</ForeignText>}
        </Fact>
        <Fact name="Listed">
          <Moment at={listedAt.toISOString()} />
        </Fact>
        <Fact name="Changed">
          <Moment at={updatedAt.toISOString()} />
        </Fact>
        <Fact name="Source">
          <ForeignText>{page.subject.source}</ForeignText>
        </Fact>
      </dl>
    </section>
  );
}

/**
 * Links the page of an old name to the page of the newest name. On the page of the newest name, states the renaming to
 * visitors who requested an old name.
 */
export function RenameNotice({ page: { newest, requestedName, subject } }: { page: ListingPage }) {
  if (newest !== null) {
    return (
      <p class="notice">
        {newest.stated ? 'This repository is now called ' : 'This is very likely an old name of '}
        <a href={newest.path}>
          <ForeignText>{newest.text}</ForeignText>
        </a>
        .
      </p>
    );
  }
  if (requestedName === undefined) return null;
  return (
    <p class="notice">
      <ForeignText>{requestedName}</ForeignText> is now called <ForeignText>{subject.repository}</ForeignText>
      .
    </p>
  );
}

/** A fact that was observed about a listing, with its source, URL and time. */
export type ShownFact = Pick<ObservedFact, 'fact' | 'value' | 'source' | 'url'> & { observedAt: string };

/** Label and rendering function of each observed fact, in the order in which the section shows the facts. */
const SHOWN: { [Name in ShownName]: Shown<ObservedFacts[Name]> } = {
  official_maker: {
    label: 'MCP registry',
    show: ({ namespace }) => (
      <>
        published by the repository’s owner as <ForeignText>{namespace}</ForeignText>
      </>
    ),
  },
  releases: {
    label: 'Releases',
    show: ({ count, latestAt }) =>
      count === 0
        ? 'none'
        : `${formatCount(count)}${latestAt === null ? '' : `, latest ${formatDay(latestAt)}`}`,
  },
  contributors: { label: 'Contributors', show: ({ count }) => formatCount(count) },
  security_policy: { label: 'Security policy', show: ({ present }) => (present ? 'yes' : 'none found') },
  owner_account: {
    label: 'Owner',
    show: ({ kind, createdAt }) =>
      `${kind === 'organisation' ? 'organisation' : 'person'}${createdAt === null ? '' : `, account since ${formatDay(createdAt)}`}`,
  },
  manifest: {
    label: 'Packages in manifests',
    show: ({ packages }) =>
      packages.length === 0 ? (
        'none'
      ) : (
        <ForeignText>{packages.map(({ ecosystem, name }) => `${ecosystem}:${name}`).join(', ')}</ForeignText>
      ),
  },
  scorecard: { label: 'OpenSSF Scorecard', show: ({ score }) => `${score.toFixed(1)} of 10` },
  agent_card: {
    label: 'Agent card',
    show: ({ name, version }) => <ForeignText>{version === null ? name : `${name} ${version}`}</ForeignText>,
  },
  skills_index: {
    label: 'Skills index',
    show: ({ name, skills = [{ name }] }) => (
      <ForeignText>{skills.map((skill) => skill.name).join(', ')}</ForeignText>
    ),
  },
};

/** Name of a fact that this section shows. Other sections show the facts about packages. */
type ShownName = Exclude<
  ObservedFact['fact'],
  'published_package' | 'package_standing' | 'package_advisories'
>;

interface Shown<Value> {
  readonly label: string;
  show(value: Value): ComponentChildren;
}

/** Names of all facts that the section shows, in its order. */
export const SHOWN_FACTS = Object.keys(SHOWN) as readonly ShownName[];

/**
 * Shows the facts that this directory observed at their sources, each with its source and day. Statements of third-party
 * lists are not observations, so other sections show them.
 */
export function ObservedSection({ facts }: { facts: readonly ShownFact[] }) {
  const shown = SHOWN_FACTS.flatMap((name) => facts.filter(({ fact }) => fact === name));
  if (shown.length === 0) return null;
  return (
    <section class="card" aria-labelledby="observed">
      <h2 id="observed">Observed at the sources</h2>
      <dl>
        {shown.map((fact) => (
          <ObservedRow key={`${fact.fact} ${fact.source}`} fact={fact} />
        ))}
      </dl>
    </section>
  );
}

function ObservedRow({ fact: { fact, value, source, url, observedAt } }: { fact: ShownFact }) {
  const { label, show } = SHOWN[fact as ShownName] as Shown<unknown>;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {show(value)}{' '}
        <span class="note">
          <ExternalLink href={url}>{source}</ExternalLink>, <Moment at={observedAt} />
        </span>
      </dd>
    </>
  );
}

/** Number of artifacts that are always visible; the others are folded to keep the page short. */
const MAX_UNFOLDED_ARTIFACTS = 8;

/** Phrases that state why a repository counts as a container. A name or a description is only a hint. */
const CONTAINER_PHRASES = {
  name: 'By its name, this repository collects several things',
  description: 'By its description, this repository collects several things',
  parts: 'A repository that collects several things',
} as const;

/** States that the repository is a container, so that its score is not mistaken for that of its parts. */
export function ContainerNote({ record }: { record: AgentRecord }) {
  const container = containerOf(record);
  if (container === null) return null;
  const { parts, because } = container;
  return (
    <p>
      <span class="chip tag">container</span> {CONTAINER_PHRASES[because]}
      {parts === 0 ? (
        '. Its scores are about the repository as a whole.'
      ) : (
        <>
          : <a href="#inside">{formatCount(parts)} known inside</a>. Its scores are about the repository as a
          whole; each part has its own.
        </>
      )}
    </p>
  );
}

/**
 * States what the score is about if visitors may expect otherwise: a whole container, an old name, or a copy. The API's
 * explanation has the same information in `container` and `superseded_by`.
 */
export function SubjectOfScore({ page: { record, newest, original } }: { page: ListingPage }) {
  const container = containerOf(record);
  const instead = newest ?? original;
  return (
    <>
      {container !== null && (
        <p class="small">
          <span class="chip tag">container</span> These facts are about the repository as a whole
          {container.parts === 0
            ? ', not about one of the things that it collects'
            : partsText(container.parts)}
          .
        </p>
      )}
      {instead !== null && (
        <p class="small">
          These facts are about {instead.stated ? '' : 'what is probably '}
          {newest === null ? 'a copy. Its original, ' : 'an old name. The present name, '}
          <a href={instead.path}>
            <ForeignText>{instead.text}</ForeignText>
          </a>
          , has a score of its own.
        </p>
      )}
    </>
  );
}

function partsText(parts: number): string {
  return parts === 1
    ? '. Its known part has a score of its own'
    : `. Its ${formatCount(parts)} known parts have scores of their own`;
}

/**
 * Shows the artifacts inside the repository. `reasons` are those of the repository's verdict: an artifact shares most of its
 * facts. With an artifact's confidence, they decide whether "Not enough evidence" is shown instead of its score.
 */
export function ArtifactsSection({ artifacts, reasons }: PartsProps) {
  const rest = artifacts.slice(MAX_UNFOLDED_ARTIFACTS);
  return (
    <section class="card" aria-labelledby="inside">
      <h2 id="inside">Inside this repository</h2>
      <ArtifactList artifacts={artifacts.slice(0, MAX_UNFOLDED_ARTIFACTS)} reasons={reasons} />
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more</summary>
          <ArtifactList artifacts={rest} reasons={reasons} />
        </details>
      )}
    </section>
  );
}

interface PartsProps {
  artifacts: ListingPage['artifacts'];
  reasons: readonly ReasonCode[];
}

function ArtifactList({ artifacts, reasons }: PartsProps) {
  return (
    <ul class="tree">
      {artifacts.map((artifact) => (
        <li key={artifact.path}>
          <a href={artifact.path}>
            <ForeignText>{artifact.text}</ForeignText>
          </a>{' '}
          <span class="small muted">{partScore(artifact, reasons)}</span>
          {artifact.description !== '' && (
            <p class="note clamp">
              <ForeignText>{artifact.description}</ForeignText>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Formats the score of an artifact; says so if the score is missing or only a default. */
function partScore(
  { trust, confidence }: ListingPage['artifacts'][number],
  reasons: readonly ReasonCode[],
): string {
  const isScored = trust !== null && confidence !== null;
  return figuresText(isScored ? { trust, confidence, verdict: { reasons } } : null);
}
