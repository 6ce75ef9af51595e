import { Fragment } from 'preact';
import type { OtherPackage } from '../../../catalog/packages/confirm-package.ts';
import { isSamePackage } from '../../../catalog/packages/package-names.ts';
import type { DeclaredServer } from '../../../catalog/packages/registry-entry.fragment.ts';
import { everyStanding, type PackageStanding } from '../../../scoring/fact-types.ts';
import { ExternalLink, ForeignText, Moment } from '../../components/formatting.tsx';
import type { PublishedVersions } from './listing.queries.ts';
import { hasMalware, NotKnown, type PackageFacts } from './versions-section.tsx';

/** Packages of a listing, with their names as sources write them, and the kind of the listing. */
interface ListingPackages {
  npmPackage: string | null;
  pypiPackage: string | null;
  /** True if the repository and the package name each other. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  /** True if the registry has no such package. */
  isNpmMissing?: boolean;
  isPypiMissing?: boolean;
  published?: PublishedVersions;
  packageFacts?: Pick<PackageFacts, 'package_standing'>;
  otherPackages?: readonly OtherPackage[];
  mcpRegistryName?: string | null;
  /** True if a stored entry of the MCP registry has this name, names the repository, and is not deleted. */
  isInRegistry?: boolean;
  /** Kind of the listing: `agent`, `skill`, `plugin` or `mcp-server`. */
  kind: string;
}

/** Matches npm package names that a shell leaves as they are: it would replace `~root` by a folder. */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/;

/** Matches PyPI package names that cannot inject a command into a shell. */
const PYPI_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

const MAX_NAME_LENGTH = 214;

/** Matches versions that are safe in a shell. A version with an epoch (`1!2.0`) is not safe, because of the `!`. */
const VERSION = /^\d[0-9A-Za-z.+_-]{0,99}$/;

/**
 * Returns the commands that install a listing, or start it if it is an MCP server. A command contains the published version
 * if the registry was read. Omits unconfirmed packages, because a stranger may have published code under a name that a list
 * gives. Omits packages that the registry does not have, or whose published version has malware or may have it.
 */
export function installCommands(packages: ListingPackages): string[] {
  const { npmPackage, pypiPackage, kind, published = {} } = packages;
  const isNpmConfirmed = packages.isNpmConfirmed && packages.isNpmMissing !== true;
  const isPypiConfirmed = packages.isPypiConfirmed && packages.isPypiMissing !== true;
  const isServer = kind === 'mcp-server';
  const commands: string[] = [];
  const isSafe = (registry: string, name: string) => standingWithMalware(packages, registry, name) === null;
  if (npmPackage !== null && isNpmConfirmed && isName(npmPackage, NPM_NAME) && isSafe('npm', npmPackage)) {
    const named = npmPackage + versionSuffix('@', published.npm?.version);
    commands.push(isServer ? `npx -y ${named}` : `npm install ${named}`);
  }
  if (
    pypiPackage !== null &&
    isPypiConfirmed &&
    isName(pypiPackage, PYPI_NAME) &&
    isSafe('pypi', pypiPackage)
  ) {
    const suffix = versionSuffix(isServer ? '@' : '==', published.pypi?.version);
    commands.push(isServer ? `uvx ${pypiPackage}${suffix}` : `pip install ${pypiPackage}${suffix}`);
  }
  return commands;
}

function versionSuffix(separator: '@' | '==', version: string | undefined): string {
  return version !== undefined && VERSION.test(version) ? `${separator}${version}` : '';
}

/**
 * Returns the standing of a package with malware, unless its published version is known not to be affected. Returns null
 * for all other packages.
 */
function standingWithMalware(
  { packageFacts }: ListingPackages,
  registry: string,
  name: string,
): PackageStanding | null {
  const stored = packageFacts?.package_standing?.value;
  const standings = stored === undefined ? [] : everyStanding(stored);
  const found = standings.find((each) =>
    isSamePackage({ registry, name }, { registry: each.ecosystem, name: each.name }),
  );
  return found !== undefined && hasMalware(found) && found.published !== 'not_affected' ? found : null;
}

/** A package of a listing that is not confirmed, or that its registry does not have. */
interface UnconfirmedPackage {
  registry: string;
  name: string;
  isConfirmed: boolean;
  /** True if the registry has no such package. */
  isMissing: boolean;
}

/** Returns the packages that only a list names, and those that their registry does not have. */
export function unconfirmedPackages(packages: ListingPackages): UnconfirmedPackage[] {
  const { npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed } = packages;
  const { isNpmMissing = false, isPypiMissing = false } = packages;
  const stated = [
    { registry: 'npm', name: npmPackage, isConfirmed: isNpmConfirmed, isMissing: isNpmMissing },
    { registry: 'PyPI', name: pypiPackage, isConfirmed: isPypiConfirmed, isMissing: isPypiMissing },
  ];
  return stated.flatMap(({ name, ...each }) =>
    name !== null && (!each.isConfirmed || each.isMissing) ? [{ ...each, name }] : [],
  );
}

/** Names that the MCP registry allows: `reversed.domain/server`. */
const MCP_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

const MAX_MCP_NAME_LENGTH = 200;

/** Returns the URL of the MCP registry's record of a server; null for an invalid name. */
export function mcpRegistryUrl(mcpRegistryName: string | null): string | null {
  if (
    mcpRegistryName === null ||
    mcpRegistryName.length > MAX_MCP_NAME_LENGTH ||
    !MCP_NAME.test(mcpRegistryName)
  ) {
    return null;
  }
  const server = encodeURIComponent(mcpRegistryName);
  return `https://registry.modelcontextprotocol.io/v0.1/servers/${server}/versions/latest`;
}

function isName(name: string, shape: RegExp): boolean {
  return name.length <= MAX_NAME_LENGTH && shape.test(name);
}

interface UseSectionProps {
  packages: ListingPackages;
  repository: string | null;
  repositoryUrl: string;
}

/** Shows how to install or start the listing, or why no command is shown, and links to the repository. */
export function InstallSection({ packages, repository, repositoryUrl }: UseSectionProps) {
  const commands = installCommands(packages);
  const { mcpRegistryName = null } = packages;
  const record = mcpRegistryUrl(mcpRegistryName);
  const { otherPackages = [] } = packages;
  const isNamed = packages.npmPackage !== null || packages.pypiPackage !== null || otherPackages.length > 0;
  return (
    <section class="card" aria-labelledby="use">
      <h2 id="use">Use it</h2>
      {commands.map((command) => (
        <Fragment key={command}>
          <h3>{command.split(' ')[0]}</h3>
          <div class="copy" data-copy="the command">
            <pre>{command}</pre>
          </div>
        </Fragment>
      ))}
      <MalwareNotes packages={packages} />
      <PublishedNotes published={packages.published ?? {}} />
      {unconfirmedPackages(packages).map(({ registry, name, isConfirmed, isMissing }) => (
        <p class="small" key={registry}>
          {isConfirmed ? 'No longer' : `Named by a list${isMissing ? ', not' : ''}`}
          {isMissing && ' in the registry'}: the {registry} package <ForeignText>{name}</ForeignText>.{' '}
          {isMissing
            ? `${registry} had no package of this name at our last check.`
            : 'We have not confirmed that it belongs to this repository.'}
        </p>
      ))}
      <OtherPackages packages={otherPackages} />
      {record !== null && (
        <>
          <h3>MCP registry</h3>
          <div class="copy" data-copy="the name">
            <pre>{mcpRegistryName}</pre>
          </div>
          <p class="small">
            {packages.isInRegistry === true
              ? 'Its entry in the registry names this repository.'
              : 'A list states this name. We have not read it in the registry.'}{' '}
            <ExternalLink href={record}>How to start or call it</ExternalLink>
          </p>
        </>
      )}
      <p class="small">
        {commands.length > 0
          ? 'The repository and the package name each other. Check the repository:'
          : record !== null || isNamed
            ? 'Check the repository:'
            : 'We know of no package of its own. See the repository:'}{' '}
        <ExternalLink href={repositoryUrl}>
          {repository ?? <ForeignText>{repositoryUrl}</ForeignText>}
        </ExternalLink>
      </p>
    </section>
  );
}

/** Explains why no command is shown for a package with malware. */
function MalwareNotes({ packages }: { packages: ListingPackages }) {
  const named = [
    ['npm', packages.npmPackage],
    ['pypi', packages.pypiPackage],
  ] as const;
  return (
    <>
      {named.map(([registry, name]) => {
        const standing = name === null ? null : standingWithMalware(packages, registry, name);
        return (
          standing !== null && (
            <p class="small" key={registry}>
              <b>
                Do not install the {REGISTRY_NAMES[registry]} package <ForeignText>{name}</ForeignText>
              </b>
              :{' '}
              {standing.published === 'malware'
                ? 'its published version contains malware.'
                : 'it contains malware, and its published version was not read.'}
            </p>
          )
        );
      })}
    </>
  );
}

/** Display names of package registries, or of the packages in them. */
const REGISTRY_NAMES: Readonly<Record<string, string>> = {
  npm: 'npm',
  pypi: 'PyPI',
  oci: 'OCI image',
  nuget: 'NuGet package',
  mcpb: 'MCPB file',
};

/** States which versions the registries publish, and when the registries were read. */
function PublishedNotes({ published }: { published: PublishedVersions }) {
  return (
    <>
      {(['npm', 'pypi'] as const).map((registry) => {
        const read = published[registry];
        if (read === undefined) return null;
        return (
          <p class="small" key={registry}>
            Latest version on {REGISTRY_NAMES[registry]}: <ForeignText>{read.version}</ForeignText>, read{' '}
            <Moment at={read.readAt} />.{read.isDeprecated === true && ' Its maintainers have deprecated it.'}
          </p>
        );
      })}
    </>
  );
}

/** Lists packages of other registries as the MCP registry names them. No commands are shown for them. */
function OtherPackages({ packages }: { packages: readonly OtherPackage[] }) {
  return (
    <>
      {packages.map(({ registry, name, isConfirmed }) => (
        <p class="small" key={`${registry} ${name}`}>
          Named {isConfirmed ? 'by the owner in' : 'in'} the MCP registry:{' '}
          {REGISTRY_NAMES[registry] ?? registry} <ForeignText>{name}</ForeignText>.
          {!isConfirmed && ' We have not confirmed that it belongs to this repository.'}
        </p>
      ))}
    </>
  );
}

/** Shows the secrets and hosts of a server, as its owner declares them in the MCP registry. */
export function AsksForSection({ declared }: { declared: DeclaredServer }) {
  const { secrets, runsLocally, remoteHosts, serverName, updatedAt, url } = declared;
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
          {secrets.length > 0 ? (
            <ForeignText>{secrets.join(', ')}</ForeignText>
          ) : runs.length > 0 ? (
            'none declared'
          ) : (
            <NotKnown />
          )}
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
        As declared in the <ExternalLink href={url}>MCP registry</ExternalLink> for{' '}
        <ForeignText>{serverName}</ForeignText>, <Moment at={updatedAt} />. Not observed by us.
      </p>
    </section>
  );
}
