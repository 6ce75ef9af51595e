import { SignInFailure } from '../../../accounts/sign-in/sign-in-attempt.ts';
import type { Identity } from '../../../accounts/sign-in/sign-in-identity.ts';
import { SIGN_IN_LINK_MINUTES } from '../../../accounts/sign-in/sign-in-link.ts';
import { FORM_TOKEN_FIELD } from '../../../platform/http/credentials/credential.ts';
import type { FailureFormat } from '../../../platform/http/failures/send-failure.ts';
import { CONSOLE, withNext } from '../../../platform/http/redirect-paths.ts';
import { OPERATOR_COMMAND } from '../../../platform/package-files.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { HTML } from '../../components/send-html.ts';

/** Renders the HTML document that asks a person to sign in. */
export function signInDocument(props: SignInViewProps): string {
  return renderDocument(
    <Layout title="Sign in · Trust Directory" unlisted={true}>
      <SignInView {...props} />
    </Layout>,
  );
}

/** Renders the HTML document for a person without an account: what to request from the operator. */
export function unknownPersonDocument(provider: string, identity: Identity): string {
  return renderDocument(
    <Layout title="No account yet · Trust Directory" unlisted={true}>
      <UnknownPersonView provider={provider} identity={identity} />
    </Layout>,
  );
}

/** Renders the HTML document that explains a failed sign-in. */
function signInProblemDocument(title: string, text: string, nextPath: string | null): string {
  return renderDocument(
    <Layout title={`${title} · Trust Directory`} unlisted={true}>
      <SignInProblemView title={title} text={text} nextPath={nextPath} />
    </Layout>,
  );
}

/** Renders the HTML document that asks whether to sign out. `token` is the session's form token; null if signed out. */
export function signOutDocument(token: string | null): string {
  return renderDocument(
    <Layout title="Sign out · Trust Directory" unlisted={true}>
      <SignOutView token={token} />
    </Layout>,
  );
}

/** Asks whether to end this browser's session. `token` is the session's form token; null if signed out. */
function SignOutView({ token }: { token: string | null }) {
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

/** Button for one identity provider. */
interface ProviderButton {
  name: string;
  label: string;
}

interface SignInViewProps {
  /** Token of a sign-in link; null without one. */
  token: string | null;
  /** Account that the link signs in to; null without a valid link. */
  linkOwner: string | null;
  providers: readonly ProviderButton[];
  /** Path of this site to continue to; null for the console's overview. */
  nextPath: string | null;
  /** True if this browser is already signed in. */
  isSignedIn: boolean;
}

/**
 * Shows a button that redeems the sign-in link or, without a link, all ways to sign in. Opening the page must not redeem
 * the link, because scanners open the links in messages. The providers are links, because the content security policy
 * `form-action 'self'` forbids forms that redirect to other sites.
 */
function SignInView({ token, linkOwner, providers, nextPath, isSignedIn }: SignInViewProps) {
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
              <ForeignText>{owner}</ForeignText>
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
        <section class="card" aria-label="With an account on another site">
          <p class="row">
            {providers.map(({ name, label }) => (
              <a
                key={name}
                class="button primary"
                href={withNext(`/sign-in/with/${name}`, nextPath)}
                rel="nofollow"
              >
                Sign in with <ForeignText>{label}</ForeignText>
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

/** Tells a person who has no account in this directory what to request. */
function UnknownPersonView({ provider, identity }: { provider: string; identity: Identity }) {
  return (
    <div class="narrow">
      <h1>No account yet</h1>
      <p class="lead">
        <ForeignText>{provider}</ForeignText> confirmed who you are, but you have no account here. The
        operator of this directory creates accounts.
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

/** Explains a failed sign-in. */
function SignInProblemView(props: { title: string; text: string; nextPath: string | null }) {
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

const TITLES: Readonly<Record<number, string>> = {
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Shows why a sign-in failed, with a link to sign in again and continue to the requested page. */
export function signInFailurePage(nextPath: string | null): FailureFormat {
  return {
    show({ error, words }) {
      const wanted = (error instanceof SignInFailure ? error.nextPath : null) ?? nextPath;
      const title = TITLES[error.status] ?? 'Sign-in failed';
      return { type: HTML, body: signInProblemDocument(title, words, wanted) };
    },
  };
}
