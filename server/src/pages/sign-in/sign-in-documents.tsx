import type { Identity } from '../../sign-in/sign-in-identity.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { SignInProblemView, SignInView, type SignInViewProps, UnknownPersonView } from './sign-in-view.tsx';
import { SignOutView } from './sign-out-view.tsx';

/** Asks a person to sign in. */
export function signInDocument(props: SignInViewProps): string {
  return toDocument(
    <Layout title="Sign in · Trust Directory" unlisted={true}>
      <SignInView {...props} />
    </Layout>,
  );
}

/** Tells a person whom nobody has given an account what to ask for. */
export function unknownPersonDocument(provider: string, identity: Identity): string {
  return toDocument(
    <Layout title="No account yet · Trust Directory" unlisted={true}>
      <UnknownPersonView provider={provider} identity={identity} />
    </Layout>,
  );
}

/** Tells why a sign-in came to nothing, with the way on. */
export function signInProblemDocument(title: string, text: string, nextPath: string | null): string {
  return toDocument(
    <Layout title={`${title} · Trust Directory`} unlisted={true}>
      <SignInProblemView title={title} text={text} nextPath={nextPath} />
    </Layout>,
  );
}

/** Asks whether to sign out; `token` is that of the session's forms, null where nobody is signed in. */
export function signOutDocument(token: string | null): string {
  return toDocument(
    <Layout title="Sign out · Trust Directory" unlisted={true}>
      <SignOutView token={token} />
    </Layout>,
  );
}
