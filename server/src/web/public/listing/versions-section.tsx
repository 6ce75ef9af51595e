import type { ComponentChildren } from 'preact';
import type { ObservedFacts, ShownAdvisory } from '../../../catalog/facts/observed-facts.ts';
import type { DeclaredServer } from '../../../catalog/packages/registry-entry.fragment.ts';
import { everyStanding, type PackageStanding } from '../../../scoring/fact-types.ts';
import { HIJACK_WARNING_DAYS } from '../../../scoring/verdict/reasons.ts';
import { ExternalLink, ForeignText, formatCount, Moment } from '../../components/formatting.tsx';

/** A fact with the time at which it was read. */
interface ReadFact<Value> {
  value: Value;
  at: string;
}

/** Facts about the confirmed package of a listing; null if they were not read. */
export interface PackageFacts {
  package_standing: ReadFact<PackageStanding> | null;
  package_advisories: ReadFact<ObservedFacts['package_advisories']> | null;
  published_package: ReadFact<ObservedFacts['published_package']> | null;
}

/** Anchors of the sections, for links in the verdict. */
export const VERSIONS_ANCHOR = 'versions';
export const RAN_THEM_ANCHOR = 'ran-them';

/** Maximum affected versions in the table. */
const MAX_VERSIONS = 12;
const DAY_MS = 86_400_000;

/** Returns the standing of a listing's package if it rests on an advisory; otherwise null. */
export function standingWithAdvisories(facts: PackageFacts): PackageStanding | null {
  const standing = facts.package_standing?.value ?? null;
  return standing !== null && standing.advisoryIds.length > 0 ? standing : null;
}

/** Returns true if versions of the package contain malware; a proof of concept of researchers does not count. */
export function hasMalware({ malwareVersions, isResearch }: PackageStanding): boolean {
  return malwareVersions.length > 0 && !isResearch;
}

/** Shows the versions of confirmed packages that advisories name, with a summary and links to the advisories. */
export function VersionsSection({ facts, now }: { facts: PackageFacts; now: string | null }) {
  const read = facts.package_standing;
  if (read === null) return null;
  const { value: standing, at } = read;
  const advisories = facts.package_advisories?.value.advisories ?? [];
  const isRead = facts.published_package !== null && publishedOf(standing, facts) !== null;
  return (
    <section class="card" id={VERSIONS_ANCHOR} aria-labelledby="versions-title">
      <h2 id="versions-title">Versions</h2>
      {everyStanding(standing).map((each) => (
        <PackageVersions key={packageOf(each)} standing={each} facts={facts} now={now} />
      ))}
      {advisories.length > 0 && <AdvisoryList advisories={advisories} standing={standing} />}
      <p class="small muted">
        {advisories.length === 0 && 'We know of no advisory that affects the published version. '}
        {standing.isOutdated === true &&
          'No whole advisory database was read lately, so there may be others. '}
        Advisories in the OSV format, judged <Moment at={at} />
        {isRead && (
          <>
            ; published version read <Moment at={facts.published_package?.at ?? at} />
          </>
        )}
        .
      </p>
    </section>
  );
}

interface PackageProps extends RowProps {
  facts: PackageFacts;
  now: string | null;
}

/** Shows the versions of one package. */
function PackageVersions({ standing, facts, now }: PackageProps) {
  const { advisories = [], releasedAt = {} } = facts.package_advisories?.value ?? {};
  const published = publishedOf(standing, facts);
  const affected = standing.malwareVersions.filter((version) => version !== standing.version);
  const more = affected.length - MAX_VERSIONS;
  return (
    <>
      {standing.version === null && (
        <p>
          {standing.defaultMalware === undefined
            ? `The published version of ${packageOf(standing)} was not read from its registry.`
            : `${packageOf(standing)} has no stable version.`}
        </p>
      )}
      {(published !== null || affected.length > 0) && (
        <div class="scroll">
          <table>
            <caption>
              Package <span class="mono">{packageOf(standing)}</span>
            </caption>
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">Published</th>
                <th scope="col">Standing</th>
              </tr>
            </thead>
            <tbody>
              {published !== null && <PublishedRow standing={standing} published={published} />}
              {affected.slice(0, MAX_VERSIONS).map((version) => (
                <AffectedRow
                  key={version}
                  version={version}
                  standing={standing}
                  advisories={advisories}
                  releasedAt={releasedAt}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more > 0 && <p class="small">{formatCount(more)} more affected versions: see the advisories.</p>}
      <WarningEnd standing={standing} now={now} />
    </>
  );
}

function packageOf({ ecosystem, name }: Pick<PackageStanding, 'ecosystem' | 'name'>): string {
  return `${ecosystem}:${name}`;
}

type Published = Pick<ObservedFacts['published_package'], 'version' | 'releasedAt' | 'provenance'>;

/** Returns the published version that was judged, with its release time and provenance if its registry was read. */
function publishedOf(standing: PackageStanding, facts: PackageFacts): Published | null {
  const { version, ecosystem, name } = standing;
  if (version === null) return null;
  const read = facts.published_package?.value;
  const isSame = read?.version === version && read.ecosystem === ecosystem && read.name === name;
  return isSame ? read : { version, releasedAt: null, provenance: null };
}

const PROVENANCE = {
  attested: 'attested',
  none: 'none',
  lost: 'none, although an earlier version had provenance',
} as const;

function PublishedRow({ standing, published }: { standing: PackageStanding; published: Published }) {
  const { version, releasedAt, provenance } = published;
  return (
    <tr>
      <th scope="row" class="mono">
        <ForeignText>{version}</ForeignText> <span class="chip tag">latest</span>
      </th>
      <td>{releasedAt === null ? <NotKnown /> : <Moment at={releasedAt} />}</td>
      <td>
        {standing.published === 'malware' ? <Malware /> : <OpenStanding standing={standing} />}
        {provenance !== null && <span class="note">provenance: {PROVENANCE[provenance]}</span>}
      </td>
    </tr>
  );
}

function OpenStanding({ standing }: RowProps) {
  const { vulnerabilities, malwareVersions, version, isResearch, isOutdated } = standing;
  const number = vulnerabilities.length;
  if (number > 0) return <>{number === 1 ? '1 vulnerability' : `${formatCount(number)} vulnerabilities`}</>;
  if (isResearch && malwareVersions.some((each) => each === version)) return <>proof of concept</>;
  return <>{isOutdated === true ? 'no advisory known' : 'not affected'}</>;
}

interface RowProps {
  standing: PackageStanding;
}

interface AffectedProps extends RowProps {
  version: string;
  advisories: readonly ShownAdvisory[];
  releasedAt: Readonly<Record<string, string>>;
}

function AffectedRow({ version, standing, advisories, releasedAt }: AffectedProps) {
  const advisory = advisories.find(({ affected }) => affected.includes(version));
  const at = Object.hasOwn(releasedAt, version) ? releasedAt[version] : undefined;
  const isDisputed = standing.disputedVersions.includes(version);
  return (
    <tr>
      <th scope="row" class="mono">
        <ForeignText>{version}</ForeignText>
      </th>
      <td>
        {at === undefined ? (
          <NotKnown />
        ) : (
          <>
            {version.startsWith('>') && 'from '}
            <Moment at={at} />
          </>
        )}
      </td>
      <td>
        {standing.isResearch ? 'proof of concept of researchers' : <Malware />}
        {isDisputed && ', disputed'}
        {advisory !== undefined && (
          <span class="note">
            <ForeignText>{advisory.summary}</ForeignText>
          </span>
        )}
      </td>
    </tr>
  );
}

function Malware() {
  return <b class="verdict warning">malware</b>;
}

function NotKnown() {
  return <span class="muted">not known</span>;
}

/** States until when a Warning about earlier versions stays. */
function WarningEnd({ standing, now }: RowProps & { now: string | null }) {
  if (!hasMalware(standing)) return null;
  if (standing.defaultMalware !== undefined) {
    return (
      <p>
        {standing.ecosystem} installs {standing.defaultMalware} by default, a pre-release with malware. The
        Warning stays until this changes.
      </p>
    );
  }
  if (standing.published !== 'not_affected' || standing.soundSince === null) return null;
  const end = new Date(Date.parse(standing.soundSince) + HIJACK_WARNING_DAYS * DAY_MS).toISOString();
  if (now !== null && Date.parse(now) > Date.parse(end)) return null;
  return (
    <p>
      The published version is not affected. The Warning stays until <Moment at={end} />:{' '}
      {HIJACK_WARNING_DAYS} days from the release of the first sound version.
    </p>
  );
}

interface ListProps extends RowProps {
  advisories: readonly ShownAdvisory[];
}

function AdvisoryList({ advisories, standing }: ListProps) {
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

/** Shows the secrets and hosts of a server, as its owner declares them in the MCP registry. */
export function AsksForSection({ declared }: { declared: DeclaredServer }) {
  const { secrets, runsLocally, remoteHosts, updatedAt, url } = declared;
  const runs = [
    ...(runsLocally ? ['on your machine'] : []),
    ...(remoteHosts.length > 0 ? ['on remote hosts'] : []),
  ];
  return (
    <section class="card" aria-labelledby="asks-for">
      <h2 id="asks-for">What it asks for</h2>
      <dl>
        <dt>Secrets</dt>
        <dd class="mono">
          {secrets.length === 0 ? 'none' : <ForeignText>{secrets.join(', ')}</ForeignText>}
        </dd>
        <dt>Runs</dt>
        <dd>{runs.length === 0 ? <NotKnown /> : runs.join(' or ')}</dd>
        {remoteHosts.length > 0 && (
          <>
            <dt>Connects to</dt>
            <dd class="mono">
              <ForeignText>{remoteHosts.join(', ')}</ForeignText>
            </dd>
          </>
        )}
      </dl>
      <p class="small muted">
        As declared in the <ExternalLink href={url}>MCP registry</ExternalLink>, <Moment at={updatedAt} />.
        Not observed by us.
      </p>
    </section>
  );
}
