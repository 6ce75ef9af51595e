import type { AccountRecord } from '../../accounts/account.ts';
import type { SessionRecord } from '../../callers/session.ts';
import { Fact, Foreign, Moment } from '../../ui/text.tsx';
import { Crumbs } from '../frame/crumbs.tsx';
import { ActionButton, Form } from '../frame/form.tsx';
import { Instant } from '../frame/moments.tsx';

/** This browser's session and the account that it is of. */
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
              <Foreign>{account.handle}</Foreign>
            )}
          </Fact>
          <Fact name="Account since">
            <Moment at={account.createdAt} />
          </Fact>
          <Fact name="Signed in at">
            <Instant at={session.openedAt} />
          </Fact>
          <Fact name="Key management">
            {session.isRecent ? (
              <>
                until <Instant at={session.recentUntil} />
              </>
            ) : (
              'Sign in again to manage keys'
            )}
          </Fact>
          <Fact name="Expires when idle at">
            <Instant at={session.idleUntil} />
          </Fact>
          <Fact name="Expires at the latest at">
            <Instant at={session.expiresAt} />
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

/** Asks before all sessions are ended. */
export function EverywhereQuestion() {
  return (
    <>
      <Crumbs href="/console/session">Session</Crumbs>
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
