import type { ComponentChildren } from 'preact';
import type { ShownAdvisory } from '../../../catalog/facts/observed-facts.ts';
import { everyStanding, type PackageStanding } from '../../../scoring/fact-types.ts';
import { ExternalLink, ForeignText, formatCount } from '../../components/formatting.tsx';
import type { RowProps } from './versions-section.tsx';

export const RAN_THEM_ANCHOR = 'ran-them';

/** Maximum number of versions or advisory ids in one enumeration or table. */
export const MAX_VERSIONS = 12;

export function packageOf({ ecosystem, name }: Pick<PackageStanding, 'ecosystem' | 'name'>): string {
  return `${ecosystem}:${name}`;
}

/** Returns the path at which the API lists all advisories about a package. */
export function packageHref(of: Pick<PackageStanding, 'ecosystem' | 'name'>): string {
  return `/api/packages?package=${encodeURIComponent(packageOf(of))}`;
}

interface ListProps extends RowProps {
  advisories: readonly ShownAdvisory[];
}

export function AdvisoryList({ advisories, standing }: ListProps) {
  const ids = new Set(everyStanding(standing).flatMap(({ advisoryIds }) => advisoryIds));
  const more = ids.size - advisories.length;
  const areOthersJudged = everyStanding(standing).every(({ version }) => version !== null);
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
          {formatCount(more)} more{areOthersJudged && ', about other versions or of lower severity'}:{' '}
          {everyStanding(standing).map((each, place) => (
            <>
              {place > 0 && ', '}
              <a key={packageOf(each)} href={packageHref(each)}>
                all about {packageOf(each)} as JSON
              </a>
            </>
          ))}
        </p>
      )}
    </>
  );
}

function AdvisoryItem({ advisory, standing }: RowProps & { advisory: ShownAdvisory }) {
  const { id, source, url, summary, severity, affected, disputes } = advisory;
  const open = everyStanding(standing).flatMap(({ vulnerabilities }) => vulnerabilities);
  const fixedIn = open.find((each) => each.id === id)?.fixedIn ?? null;
  const isOpen = open.some((each) => each.id === id);
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

/** Lists the steps for people who ran an affected version. */
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
