import type { ComponentChildren } from 'preact';
import type { ObservedFact, ObservedFacts } from '../../../catalog/facts/observed-facts.ts';
import { ExternalLink, ForeignText, formatCount, formatDay, Moment } from '../../components/formatting.tsx';

/** A fact that was observed about a listing, with its source, address and time. */
export type ShownFact = Pick<ObservedFact, 'fact' | 'value' | 'source' | 'url'> & { observedAt: string };

/**
 * Facts of the section by name, each with its label and a function that renders its value, in the order of the section.
 */
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

/** Facts about packages are shown in other sections. */
type ShownName = Exclude<
  ObservedFact['fact'],
  'published_package' | 'package_standing' | 'package_advisories'
>;

interface Shown<Value> {
  readonly label: string;
  show(value: Value): ComponentChildren;
}

/** Names of the facts that the section shows. */
export const SHOWN_FACTS = Object.keys(SHOWN) as readonly ShownName[];

/**
 * Shows the facts that were observed at their sources, each with its source and day. Statements of lists are shown in
 * other sections, because they were not observed.
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
