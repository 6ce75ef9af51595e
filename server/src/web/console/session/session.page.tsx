import type { AccountRecord } from '../../../access/callers/require-account.ts';
import type { SessionRecord } from '../../../access/callers/session.ts';
import { Fact, ForeignText, Moment } from '../../components/formatting.tsx';
import { Breadcrumb, DateTime } from '../frame/console-document.tsx';
import { ActionButton, Form } from '../frame/fields.tsx';

/** Renders this browser's session and its account. */
export function SessionView({ account, session }: { account: AccountRecord; session: SessionRecord }) {
  return (
    <>
      <h1>Session</h1>
      <section class="card narrow" aria-labelledby="who">
        <h2 id="who">Signed in</h2>
        <dl>
          <Fact name="Handle">
            {account.handle === null ? (
              <a href="/console/handle">no handle yet</a>
            ) : (
              <ForeignText>{account.handle}</ForeignText>
            )}
          </Fact>
          <Fact name="Account since">
            <Moment at={account.createdAt} />
          </Fact>
          <Fact name="Signed in at">
            <DateTime at={session.openedAt} />
          </Fact>
          <Fact name="Key management">
            {session.isRecent ? (
              <>
                until <DateTime at={session.recentUntil} />
              </>
            ) : (
              'Sign in again to manage keys'
            )}
          </Fact>
          <Fact name="Expires when idle at">
            <DateTime at={session.idleUntil} />
          </Fact>
          <Fact name="Expires at the latest at">
            <DateTime at={session.expiresAt} />
          </Fact>
        </dl>
        <p class="note">Times are UTC.</p>
        <h3>Account id</h3>
        <div class="copy" data-copy="the account id">
          <pre>{account.id}</pre>
        </div>
        <p class="note">Give this id when you contact support.</p>
        <div class="row">
          <ActionButton action="/sign-out" class="primary">
            Sign out
          </ActionButton>
          <a class="button danger" href="/console/session/everywhere">
            Sign out everywhere…
          </a>
        </div>
      </section>
    </>
  );
}

/** Asks for confirmation before all sessions are ended. */
export function SignOutEverywhereConfirmation() {
  return (
    <>
      <Breadcrumb href="/console/session">Session</Breadcrumb>
      <h1>Sign out everywhere?</h1>
      <Form action="/console/session/everywhere" class="card narrow">
        <p>
          All browsers that are signed in to this account must sign in again, including this one. Access keys
          keep working: revoke those that you no longer trust under <a href="/console/keys">Keys</a>.
        </p>
        <p class="row">
          <button type="submit" class="danger">
            Sign out everywhere
          </button>
          <a href="/console/session">Stay signed in</a>
        </p>
      </Form>
    </>
  );
}
