import { FORM_TOKEN_FIELD } from '../../http/form-token.ts';

/**
 * Asks before a link is redeemed: programs that look at the links of a message open them, and would use it up. Without a
 * token it says where to get a link.
 */
export function SignInView({ token }: { token: string | null }) {
  return (
    <>
      <h1>Sign in</h1>
      {token === null ? (
        <p>Ask the operator of this directory for a sign-in link, and open it in this browser.</p>
      ) : (
        <form action="/sign-in" method="post">
          <p>This link signs you in once, within ten minutes of its making.</p>
          <input type="hidden" name="token" value={token} />
          <button type="submit">Sign in</button>
        </form>
      )}
    </>
  );
}

/** Ends the session of this browser; `token` is that of its forms, null where nobody is signed in. */
export function SignOutView({ token }: { token: string | null }) {
  return (
    <>
      <h1>Sign out</h1>
      {token === null ? (
        <p>You are not signed in.</p>
      ) : (
        <form action="/sign-out" method="post">
          <input type="hidden" name={FORM_TOKEN_FIELD} value={token} />
          <button type="submit">Sign out</button>
        </form>
      )}
    </>
  );
}
