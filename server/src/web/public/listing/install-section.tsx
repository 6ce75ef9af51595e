import { Fragment } from 'preact';
import { ExternalLink, ForeignText } from '../../components/formatting.tsx';

/** Package names of a listing, as a source wrote them, and its kind. */
interface ListingPackages {
  npmPackage: string | null;
  pypiPackage: string | null;
  /** True if the repository and the package name each other. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  mcpRegistryName?: string | null;
  /** `agent`, `skill`, `plugin`, `mcp-server`. */
  kind: string;
}

/** Package names that npm and PyPI allow, all safe to use in a shell. */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;

const PYPI_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

const MAX_NAME_LENGTH = 214;

/**
 * Returns the commands that install a listing, or start it if it is an MCP server. Omits packages that are not
 * confirmed: a stranger may have published code under the name that a list gives.
 */
export function installCommands(packages: ListingPackages): string[] {
  const { npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed, kind } = packages;
  const isServer = kind === 'mcp-server';
  const commands: string[] = [];
  if (npmPackage !== null && isNpmConfirmed && isName(npmPackage, NPM_NAME)) {
    commands.push(isServer ? `npx -y ${npmPackage}` : `npm install ${npmPackage}`);
  }
  if (pypiPackage !== null && isPypiConfirmed && isName(pypiPackage, PYPI_NAME)) {
    commands.push(isServer ? `uvx ${pypiPackage}` : `pip install ${pypiPackage}`);
  }
  return commands;
}

/** Returns the packages that only a list names. */
export function unconfirmedPackages(packages: ListingPackages): { registry: string; name: string }[] {
  const { npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed } = packages;
  return [
    ...(npmPackage !== null && !isNpmConfirmed ? [{ registry: 'npm', name: npmPackage }] : []),
    ...(pypiPackage !== null && !isPypiConfirmed ? [{ registry: 'PyPI', name: pypiPackage }] : []),
  ];
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

/** Shows how to install or start the listing, or links to the repository if no package is known. */
export function InstallSection({ packages, repository, repositoryUrl }: UseSectionProps) {
  const commands = installCommands(packages);
  const { mcpRegistryName = null } = packages;
  const record = mcpRegistryUrl(mcpRegistryName);
  const isNamed = packages.npmPackage !== null || packages.pypiPackage !== null;
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
      {unconfirmedPackages(packages).map(({ registry, name }) => (
        <p class="small" key={registry}>
          Named by a list: the {registry} package <ForeignText>{name}</ForeignText>. We have not confirmed
          that it belongs to this repository.
        </p>
      ))}
      {record !== null && (
        <>
          <h3>MCP registry</h3>
          <div class="copy" data-copy="the name">
            <pre>{mcpRegistryName}</pre>
          </div>
          <p class="small">
            Clients that use the registry find it by this name.{' '}
            <ExternalLink href={record}>How to start or call it</ExternalLink>
          </p>
        </>
      )}
      <p class="small">
        {commands.length > 0
          ? 'Named by the owner of the repository in the MCP registry. Check the repository:'
          : record !== null
            ? 'Reported by a third-party list. Check the repository:'
            : isNamed
              ? 'Check the repository:'
              : 'We know of no package. See the repository:'}{' '}
        <ExternalLink href={repositoryUrl}>
          {repository ?? <ForeignText>{repositoryUrl}</ForeignText>}
        </ExternalLink>
      </p>
    </section>
  );
}
