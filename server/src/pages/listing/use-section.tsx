import { Fragment } from 'preact';
import { Foreign, OutsideLink } from '../../ui/text.tsx';
import { installCommands, type Packages } from './install-command.ts';

interface UseSectionProps {
  packages: Packages;
  repository: string | null;
  repositoryUrl: string;
}

/** How to install or start it; where its package is not known, where to begin. */
export function UseSection({ packages, repository, repositoryUrl }: UseSectionProps) {
  const commands = installCommands(packages);
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
      <p class="small">
        {commands.length > 0
          ? 'Named so by a list; its page says more:'
          : 'No package is known. Begin at its page:'}{' '}
        <OutsideLink href={repositoryUrl}>{repository ?? <Foreign>{repositoryUrl}</Foreign>}</OutsideLink>
      </p>
    </section>
  );
}
