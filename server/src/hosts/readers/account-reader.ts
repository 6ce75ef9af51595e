import type { CodePlace, HostAccount } from '../host-account.ts';
import { HostFailure } from '../host-account.ts';
import type { HostRequest, HostResponse } from '../request-host.ts';

/** One host with a function for requests to its API. */
export interface HostApiClient {
  readonly host: string;
  request(path: string, question?: HostRequest): Promise<HostResponse>;
}

/** An account's record as one API shows it, not yet compared with the request. */
export interface Profile extends Omit<HostAccount, 'codePlace'> {
  /** Texts that only the account's owner, or an organisation's owners, can write. */
  readonly texts: readonly (string | null | undefined)[];
  /** Website of an organisation; null for a person, or if the host has no such field. */
  readonly website: string | null;
  /**
   * Second place (after the profile) where a person can put the code of a proof. It is read under the handle that the
   * host returned.
   */
  readonly secondPlace: { readonly place: CodePlace; carries(code: string): Promise<boolean> } | null;
}

/** Reads an account through one host API. The handle has a form that every host allows. */
export type AccountReader = (from: HostApiClient, handle: string) => Promise<Profile>;

/** Name of the file with a proof's code, at the root of one of the repositories of `codeRepositories`. */
export const CODE_FILE = 'trust-directory.txt';

/**
 * Returns the repositories that may contain the file: one made for it, and the one shown as the account's profile.
 */
export function codeRepositories(handle: string): string[] {
  return ['trust-directory', handle];
}

/** Returns true if one of the texts contains the code of a proof. */
export function containsCode(code: string, texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => text?.includes(code) === true);
}

/**
 * Searches a person's repositories for the code of a proof. Organisations are excluded, because any member or
 * committer can write their files. Redirects are not followed: a repository that was given away still answers under
 * its old owner's name.
 */
export function codeInFiles(
  from: HostApiClient,
  paths: readonly string[],
  accept: string,
): Profile['secondPlace'] {
  return {
    place: 'repository',
    async carries(code) {
      for (const path of paths) {
        const answer = await from.request(path, { accept }).catch(ignoreNoContent);
        if (containsCode(code, [answer?.body])) return true;
      }
      return false;
    },
  };
}

/** Returns null for an answer without usable content; other failures of the host are rethrown. */
export function ignoreNoContent(error: unknown): null {
  if (error instanceof HostFailure && NO_CONTENT.has(error.kind)) return null;
  throw error;
}

const NO_CONTENT: ReadonlySet<string> = new Set(['not_found', 'moved', 'unusable']);
