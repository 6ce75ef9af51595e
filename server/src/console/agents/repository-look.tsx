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
        We have not checked this repository yet. On this server, its operator starts these checks. Until then
        the score uses what you entered.
      </>
    );
  if (look.kind === 'waiting')
    return (
      <>
        We have not checked this repository yet. The check usually runs within an hour. Until then the score
        uses what you entered.
      </>
    );
  const next = look.isDue ? (
    'We will check it again soon.'
  ) : (
    <>
      We will check it again at <Instant at={look.nextCheckAt} /> (UTC).
    </>
  );
  const at = <Instant at={look.checkedAt} />;
  if (look.kind === 'read') return <>Checked on its host at {at} (UTC). The score uses what we found.</>;
  if (look.kind === 'missing')
    return (
      <>
        At {at} (UTC) its host had no public repository with this name. Make it public, or register its new
        address. {next}
      </>
    );
  return look.wasRead ? (
    <>
      The check at {at} (UTC) failed. The score still uses the previous check. {next}
    </>
  ) : (
    <>
      We have not checked this repository yet: its host did not answer at {at} (UTC). {next}
    </>
  );
}
