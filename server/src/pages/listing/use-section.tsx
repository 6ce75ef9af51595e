import { Fragment } from 'preact';
import { Foreign, OutsideLink } from '../../ui/text.tsx';
import { installCommands, type Packages, registryRecord, unconfirmedPackages } from './install-command.ts';

interface UseSectionProps {
  packages: Packages;
  repository: string | null;
  repositoryUrl: string;
}

/** How to install or start it; where its package is not known, where to begin. */
export function UseSection({ packages, repository, repositoryUrl }: UseSectionProps) {
  const commands = installCommands(packages);
  const { mcpRegistryName = null } = packages;
  const record = registryRecord(mcpRegistryName);
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
          A list names the {registry} package <Foreign>{name}</Foreign>. We have not confirmed that {registry}{' '}
          has it.
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
            <OutsideLink href={record}>How it is started or called</OutsideLink>
          </p>
        </>
      )}
      <p class="small">
        {commands.length > 0 || record !== null
          ? 'Reported by a third-party list. Check the repository:'
          : isNamed
            ? 'Check the repository:'
            : 'We know of no package. See the repository:'}{' '}
        <OutsideLink href={repositoryUrl}>{repository ?? <Foreign>{repositoryUrl}</Foreign>}</OutsideLink>
      </p>
    </section>
  );
}
