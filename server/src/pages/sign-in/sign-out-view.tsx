import { FORM_TOKEN_FIELD } from '../../http/credentials/csrf-token.ts';

/** Ends the session of this browser; `token` is that of its forms, null where nobody is signed in. */
export function SignOutView({ token }: { token: string | null }) {
  return (
    <div class="narrow">
      <h1>Sign out</h1>
      {token === null ? (
        <>
          <p class="lead">You are not signed in.</p>
          <p>
            <a class="button" href="/sign-in">
              Sign in
            </a>
          </p>
        </>
      ) : (
        <form class="card" action="/sign-out" method="post">
          <p>This ends your session in this browser. Access keys keep working.</p>
          <input type="hidden" name={FORM_TOKEN_FIELD} value={token} />
          <p class="row">
            <button type="submit" class="primary">
              Sign out
            </button>
            <a href="/console">Stay signed in</a>
          </p>
        </form>
      )}
    </div>
  );
}
