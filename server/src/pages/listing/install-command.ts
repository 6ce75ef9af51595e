/** What a listing's packages are called, and what it is; names are as a source wrote them. */
export interface Packages {
  npmPackage: string | null;
  pypiPackage: string | null;
  /** The package was seen in its registry: a source gives the version that the registry had. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  mcpRegistryName?: string | null;
  /** `agent`, `skill`, `plugin`, `mcp-server`. */
  kind: string;
}

/** Names as the registries allow them: nothing that a shell could take for more than a name. */
const NPM = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const PYPI = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const LONGEST = 214;

/**
 * Returns the lines that install it, or start it where it is a server that programs run. A package that no registry has
 * confirmed gets none: a stranger could publish code under the missing name.
 */
export function installCommands(packages: Packages): string[] {
  const { npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed, kind } = packages;
  const isServer = kind === 'mcp-server';
  const commands: string[] = [];
  if (npmPackage !== null && isNpmConfirmed && isName(npmPackage, NPM)) {
    commands.push(isServer ? `npx -y ${npmPackage}` : `npm install ${npmPackage}`);
  }
  if (pypiPackage !== null && isPypiConfirmed && isName(pypiPackage, PYPI)) {
    commands.push(isServer ? `uvx ${pypiPackage}` : `pip install ${pypiPackage}`);
  }
  return commands;
}

/** Returns the packages that a list names and no registry has confirmed, as `npm` or `PyPI` and the name. */
export function unconfirmedPackages(packages: Packages): { registry: string; name: string }[] {
  const { npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed } = packages;
  return [
    ...(npmPackage !== null && !isNpmConfirmed ? [{ registry: 'npm', name: npmPackage }] : []),
    ...(pypiPackage !== null && !isPypiConfirmed ? [{ registry: 'PyPI', name: pypiPackage }] : []),
  ];
}

/** `reversed.domain/server`, as the MCP registry allows it. */
const MCP = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const LONGEST_MCP = 200;

/** Where the MCP registry tells how a server of this name is started or called; null for what is no name there. */
export function registryRecord(mcpRegistryName: string | null): string | null {
  if (mcpRegistryName === null || mcpRegistryName.length > LONGEST_MCP || !MCP.test(mcpRegistryName)) {
    return null;
  }
  const server = encodeURIComponent(mcpRegistryName);
  return `https://registry.modelcontextprotocol.io/v0.1/servers/${server}/versions/latest`;
}

function isName(name: string, shape: RegExp): boolean {
  return name.length <= LONGEST && shape.test(name);
}
