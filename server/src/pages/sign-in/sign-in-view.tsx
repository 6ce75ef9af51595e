import { OPERATOR_COMMAND } from '../../config/own-files.ts';
import { CONSOLE, withNext } from '../../http/own-path.ts';
import { SIGN_IN_LINK_MINUTES } from '../../sign-in/link-minutes.ts';
import type { Identity } from '../../sign-in/sign-in-identity.ts';
import { Foreign } from '../../ui/text.tsx';

/** One way to sign in with somebody else. */
interface ProviderButton {
  name: string;
  label: string;
}

export interface SignInViewProps {
  /** Of a sign-in link; null without one. */
  token: string | null;
  /** Whose account the link signs in to; null where it is none that does. */
  linkOwner: string | null;
  providers: readonly ProviderButton[];
  /** The own page to be on afterwards; null for the console's first one. */
  nextPath: string | null;
  /** Whether this browser is signed in already. */
  isSignedIn: boolean;
}

/**
 * Asks before a link is redeemed: programs that look at the links of a message open them, and would use it up. Else it
 * shows the providers; these are links, for what a form leads to must not lead on to an address that the page cannot know.
 */
export function SignInView({ token, linkOwner, providers, nextPath, isSignedIn }: SignInViewProps) {
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <p class="lead">
        In the console you create access keys, see your charges, register agents and prove that accounts on
        other sites are yours.
      </p>
      {isSignedIn && token === null && (
        <p class="notice">
          You are signed in. <a href={nextPath ?? CONSOLE}>Continue</a>, or sign in again to replace this
          session.
        </p>
      )}
      {token === null ? (
        <Ways providers={providers} nextPath={nextPath} />
      ) : (
        <Link token={token} owner={linkOwner} nextPath={nextPath} />
      )}
    </div>
  );
}

function Link(props: { token: string; owner: string | null; nextPath: string | null }) {
  const { token, owner, nextPath } = props;
  return (
    <form class="card" action="/sign-in" method="post">
      <p>
        This link signs you in
        {owner !== null && (
          <>
            {' '}
            as{' '}
            <strong>
              <Foreign>{owner}</Foreign>
            </strong>
          </>
        )}{' '}
        once and expires in {SIGN_IN_LINK_MINUTES} minutes.
      </p>
      <input type="hidden" name="token" value={token} />
      {nextPath !== null && <input type="hidden" name="next" value={nextPath} />}
      <button type="submit" class="primary">
        Sign in
      </button>
    </form>
  );
}

function Ways({ providers, nextPath }: { providers: readonly ProviderButton[]; nextPath: string | null }) {
  return (
    <div class="stack">
      {providers.length > 0 && (
        <section class="card" aria-label="With an account elsewhere">
          <p class="row">
            {providers.map(({ name, label }) => (
              <a
                key={name}
                class="button primary"
                href={withNext(`/sign-in/with/${name}`, nextPath)}
                rel="nofollow"
              >
                Sign in with <Foreign>{label}</Foreign>
              </a>
            ))}
          </p>
          <p class="muted small">
            You sign in there and return here. This site never asks for your password.
          </p>
        </section>
      )}
      <section class="card" aria-labelledby="link">
        <h2 id="link">{providers.length > 0 ? 'Or with a link' : 'With a link'}</h2>
        <p>
          The operator of this directory can give you a link that signs you in once, within{' '}
          {SIGN_IN_LINK_MINUTES} minutes. Open it in this browser.
        </p>
        <details>
          <summary>How an operator creates one</summary>
          <p>On the server, for the handle of an account:</p>
          <pre>
            <code>{OPERATOR_COMMAND} sign-in-link --account HANDLE</code>
          </pre>
          <p>If there is no account yet, create one first:</p>
          <pre>
            <code>{OPERATOR_COMMAND} accounts create --handle HANDLE</code>
          </pre>
        </details>
      </section>
    </div>
  );
}

/** A person whom the provider knows and this directory does not. */
export function UnknownPersonView({ provider, identity }: { provider: string; identity: Identity }) {
  return (
    <div class="narrow">
      <h1>No account yet</h1>
      <p class="lead">
        <Foreign>{provider}</Foreign> confirmed who you are, but you have no account here. The operator of
        this directory creates accounts.
      </p>
      <section class="card" aria-labelledby="ask">
        <h2 id="ask">What to ask for</h2>
        <p>Send these two lines to the operator. They identify you, and give no access by themselves.</p>
        <dl class="facts">
          <dt>Issuer</dt>
          <dd>
            <code>{identity.issuer}</code>
          </dd>
          <dt>Subject</dt>
          <dd>
            <code>{identity.subject}</code>
          </dd>
        </dl>
        <p>
          The operator gives you access with <code>identities add</code>. Then sign in again the same way. The
          directory itself <a href="/">needs no account</a>.
        </p>
      </section>
    </div>
  );
}

/** A sign-in that came to nothing. */
export function SignInProblemView(props: { title: string; text: string; nextPath: string | null }) {
  const { title, text, nextPath } = props;
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p class="row">
        <a class="button primary" href={withNext('/sign-in', nextPath)}>
          Sign in
        </a>
        <a href="/">See the directory</a>
      </p>
    </div>
  );
}
