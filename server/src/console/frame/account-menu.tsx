import { Foreign } from '../../ui/text.tsx';

/** Whose session it is. */
export interface SignedIn {
  /** Null until one is chosen. */
  handle: string | null;
  plan: string;
}

/** Who is signed in, and the way out; opens without a script. Null where a failure kept it from being read. */
export function AccountMenu({ signedIn }: { signedIn: SignedIn | null }) {
  const name = signedIn?.handle ?? 'Your account';
  return (
    <details class="account">
      <summary>
        <span class="hidden">Signed in as </span>
        <Foreign>{name}</Foreign>
      </summary>
      <ul>
        {signedIn !== null && (
          <li>
            <a href="/console/plan">Plan: {signedIn.plan}</a>
          </li>
        )}
        <li>
          <a href="/console/handle">{signedIn?.handle ? 'Handle' : 'Choose a handle'}</a>
        </li>
        <li>
          <a href="/console/session">Session</a>
        </li>
        <li>
          <a href="/sign-out">Sign out</a>
        </li>
      </ul>
    </details>
  );
}
