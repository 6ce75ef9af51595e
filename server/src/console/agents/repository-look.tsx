import type { LastLook } from '../../refresh/last-look.ts';
import { OutsideLink } from '../../ui/text.tsx';
import { Instant } from '../frame/moments.tsx';

/** Whether the repository was looked at, and when it is again: until then the score rests on what its owner says. */
export function RepositoryLookCard({ look, repositoryUrl }: { look: LastLook; repositoryUrl: string }) {
  return (
    <section class="card" aria-labelledby="repository">
      <h2 id="repository">The repository</h2>
      <p>
        <OutsideLink href={repositoryUrl}>{repositoryUrl}</OutsideLink>
      </p>
      <p>
        <Told look={look} />
      </p>
    </section>
  );
}

function Told({ look }: { look: LastLook }) {
  if (look.kind === 'unreadable')
    return (
      <>
        The repository could not be looked at yet: this server does so only when its operator asks it to.
        Until then the score rests on what you said of it.
      </>
    );
  if (look.kind === 'waiting')
    return (
      <>
        The repository could not be looked at yet. It is tried as soon as its turn comes, mostly within an
        hour. Until then the score rests on what you said of it.
      </>
    );
  const next = look.isDue ? (
    'It is tried again as soon as its turn comes.'
  ) : (
    <>
      It is tried again at <Instant at={look.nextCheckAt} /> (UTC).
    </>
  );
  const at = <Instant at={look.checkedAt} />;
  if (look.kind === 'read') return <>Looked at on its host at {at} (UTC); what it shows is in the score.</>;
  if (look.kind === 'missing')
    return (
      <>
        At {at} (UTC) its host showed no public repository of this name. Make it public, or register its new
        address. {next}
      </>
    );
  return look.wasRead ? (
    <>
      It could not be looked at again at {at} (UTC); what was read before still counts. {next}
    </>
  ) : (
    <>
      The repository could not be looked at yet: its host did not answer at {at} (UTC). {next}
    </>
  );
}
