import type { FailureForm } from '../../http/failures/answer-failure.ts';
import { SignInFailure } from '../../sign-in/sign-in-failure.ts';
import { HTML } from '../../ui/send-html.ts';
import { signInProblemDocument } from './sign-in-documents.tsx';

const TITLES: Readonly<Record<number, string>> = {
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Tells on a page why a sign-in came to nothing, with the way to sign in and on to where the person wanted to be. */
export function failureAsSignInPage(nextPath: string | null): FailureForm {
  return {
    show({ error, words }) {
      const wanted = (error instanceof SignInFailure ? error.nextPath : null) ?? nextPath;
      const title = TITLES[error.status] ?? 'Sign-in failed';
      return { type: HTML, body: signInProblemDocument(title, words, wanted) };
    },
  };
}
