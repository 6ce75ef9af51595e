import type { ObservedFacts, ShownAdvisory } from '../../../catalog/facts/observed-facts.ts';
import { everyStanding, type PackageStanding } from '../../../scoring/fact-types.ts';
import { HIJACK_WARNING_DAYS } from '../../../scoring/verdict/reasons.ts';
import { ForeignText, formatCount, Moment } from '../../components/formatting.tsx';
import { AdvisoryList, MAX_VERSIONS, packageHref, packageOf } from './advisories-section.tsx';

/** A fact with the time at which it was read. */
interface ReadFact<Value> {
  value: Value;
  at: string;
}

/** Facts about the confirmed package of a listing; each is null if it was not read. */
export interface PackageFacts {
  package_standing: ReadFact<PackageStanding> | null;
  package_advisories: ReadFact<ObservedFacts['package_advisories']> | null;
  published_package: ReadFact<ObservedFacts['published_package']> | null;
}

/** Anchor of the section, for a link in the verdict. */
export const VERSIONS_ANCHOR = 'versions';

const DAY_MS = 86_400_000;

/** Returns the stored standing of a listing's package if an advisory names the package; otherwise null. */
export function standingWithAdvisories(facts: PackageFacts): PackageStanding | null {
  const standing = facts.package_standing?.value ?? null;
  return standing !== null && standing.advisoryIds.length > 0 ? standing : null;
}

/** Returns true if versions of the package contain malware; a researchers' proof of concept does not count as malware. */
export function hasMalware({ malwareVersions, isResearch }: PackageStanding): boolean {
  return malwareVersions.length > 0 && !isResearch;
}

/** Shows the published version and the versions with malware of the listing's packages, and the advisories about them. */
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
      {advisories.length === 0 && <NoneKnown standing={standing} />}
      <p class="small muted">
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

/**
 * States that no known advisory affects the published version. Names the advisories that may affect that version if it was
 * not read.
 */
function NoneKnown({ standing }: RowProps) {
  const { version, advisoryIds } = standing;
  if (version !== null) return <p>We know of no advisory that affects the published version.</p>;
  if (advisoryIds.length === 0) return <p>We know of no advisory about this package.</p>;
  const number =
    advisoryIds.length === 1 ? '1 advisory names' : `${formatCount(advisoryIds.length)} advisories name`;
  return (
    <p>
      {number} versions of it: <ForeignText>{advisoryIds.slice(0, MAX_VERSIONS).join(', ')}</ForeignText>
      {advisoryIds.length > MAX_VERSIONS && ' and others'}. We do not know whether they affect the published
      version. <a href={packageHref(standing)}>All as JSON</a>
    </p>
  );
}

interface PackageProps extends RowProps {
  facts: PackageFacts;
  now: string | null;
}

/** Shows the published version of a package, its other versions with malware, and the end of the Warning. */
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

type Published = Pick<ObservedFacts['published_package'], 'version' | 'releasedAt' | 'provenance'>;

/**
 * Returns the published version that the standing is about; null if the standing has none. Its release time and provenance
 * are null unless they were read for this version.
 */
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

export interface RowProps {
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

export function NotKnown() {
  return <span class="muted">not known</span>;
}

/** States until when a Warning stays that is about versions other than the published one. */
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
