import type { ComponentChildren } from 'preact';
import type { ShownAdvisory } from '../../../catalog/facts/observed-facts.ts';
import type { PackageStanding } from '../../../scoring/fact-types.ts';
import { ExternalLink, ForeignText, formatCount } from '../../components/formatting.tsx';
import type { RowProps } from './versions-section.tsx';

export const RAN_THEM_ANCHOR = 'ran-them';

/** Maximum affected versions in the table. */
export const MAX_VERSIONS = 12;

export function packageOf({ ecosystem, name }: Pick<PackageStanding, 'ecosystem' | 'name'>): string {
  return `${ecosystem}:${name}`;
}

interface ListProps extends RowProps {
  advisories: readonly ShownAdvisory[];
}

export function AdvisoryList({ advisories, standing }: ListProps) {
  const more = standing.advisoryIds.length - advisories.length;
  return (
    <>
      <h3>Advisories</h3>
      <ul class="said">
        {advisories.map((advisory) => (
          <li key={advisory.id}>
            <AdvisoryItem advisory={advisory} standing={standing} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="small">
          {formatCount(more)} more, about other versions or of lower severity:{' '}
          <a href={`/api/packages?package=${encodeURIComponent(packageOf(standing))}`}>all as JSON</a>
        </p>
      )}
    </>
  );
}

function AdvisoryItem({ advisory, standing }: RowProps & { advisory: ShownAdvisory }) {
  const { id, source, url, summary, severity, affected, disputes } = advisory;
  const fixedIn = standing.vulnerabilities.find((each) => each.id === id)?.fixedIn ?? null;
  const isOpen = standing.vulnerabilities.some((each) => each.id === id);
  return (
    <>
      <p>
        <ExternalLink href={url}>{id}</ExternalLink> <span class="muted">{source}</span>
        {severity !== null && ` · ${severity}`}
        <br />
        <ForeignText>{summary}</ForeignText>
        <span class="note">
          Affected: <ForeignText>{affected.slice(0, MAX_VERSIONS).join(', ')}</ForeignText>
          {affected.length > MAX_VERSIONS && ` and ${formatCount(affected.length - MAX_VERSIONS)} more`}
          {isOpen && (fixedIn === null ? ' · no fix known' : ` · fixed in ${fixedIn}`)}
        </span>
      </p>
      {disputes.map((dispute) => (
        <p class="small" key={dispute.url}>
          Disputed for <ForeignText>{dispute.versions.join(', ')}</ForeignText>:{' '}
          <ExternalLink href={dispute.url}>{dispute.reason || 'statement'}</ExternalLink>
        </p>
      ))}
    </>
  );
}

/** Tells people who ran an affected version what to do. */
export function RanThemSection({ standing, secrets }: RowProps & { secrets: readonly string[] }) {
  const { version, ecosystem, name, published } = standing;
  const sound = version !== null && published === 'not_affected' ? version : null;
  const install = ecosystem === 'npm' ? `npm install ${name}@${sound}` : `pip install ${name}==${sound}`;
  const steps: ComponentChildren[] = [
    sound === null ? (
      'Remove the package, also from lockfiles and caches. We know of no sound version.'
    ) : (
      <>
        Install a version that is not affected: <code>{install}</code>. Remove affected versions from
        lockfiles and caches.
      </>
    ),
    <>
      Revoke and renew every secret that the machine could read: access tokens, keys and passwords
      {secrets.length > 0 && (
        <>
          , such as <code>{secrets.join(', ')}</code>
        </>
      )}
      . They stay exposed after the package is deleted.
    </>,
    'Look for traces that the advisories describe: new processes, scheduled tasks, and releases or commits in your name.',
  ];
  return (
    <section class="card" id={RAN_THEM_ANCHOR} aria-labelledby="ran-them-title">
      <h2 id="ran-them-title">If you ran an affected version</h2>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
