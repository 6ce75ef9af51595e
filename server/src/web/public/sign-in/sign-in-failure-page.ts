import { SignInFailure } from '../../../accounts/sign-in/sign-in-failure.ts';
import type { FailureFormat } from '../../../platform/http/failures/send-failure.ts';
import { HTML } from '../../components/send-html.ts';
import { signInProblemDocument } from './sign-in.page.tsx';

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
