import { findClaimsOf } from '../../../ownership/proofs/decide-claim.ts';
import { presentClaim } from '../../../ownership/proofs/linked-accounts.presenter.ts';
import { ForeignText } from '../../components/formatting.tsx';
import type { ConsoleDependencies, Visit } from '../frame/console-router.ts';

/** Open claims in the API's format. */
export type ShownClaims = readonly ReturnType<typeof presentClaim>[];

/** Reads the open claims that the visitor has made, and those that others have made on the visitor's listings. */
export async function loadWaitingClaims(
  { database }: ConsoleDependencies,
  { accountId }: Visit,
): Promise<ShownClaims> {
  const claims = await findClaimsOf(database, accountId);
  return claims.map((claim) => presentClaim(claim, accountId));
}

/** Shows each open claim with the reason why it is not decided; renders nothing without claims. */
export function WaitingClaims({ claims }: { claims: ShownClaims }) {
  if (claims.length === 0) return null;
  return (
    <section class="card" aria-labelledby="claims">
      <h2 id="claims">Claims waiting for a decision</h2>
      <p>
        The ids that the host shows do not tell who owns these repositories. A later reading of the host, or
        the operator, decides.
      </p>
      <ul class="rows entries">
        {claims.map(({ id, agentId, host, repository, claimedBy, isYours, reason }) => (
          <li key={id}>
            <a href={`/a/id/${agentId}`}>
              <ForeignText>{`${host}/${repository}`}</ForeignText>
            </a>
            : {isYours ? 'claimed by you' : 'yours, claimed by another account'} as{' '}
            <ForeignText>{claimedBy}</ForeignText>; {reason}.
          </li>
        ))}
      </ul>
    </section>
  );
}
