import type { CodePlace, HostAccount } from '../host-account.ts';
import { HostFailure } from '../host-account.ts';
import type { HostRequest, HostResponse } from '../request-host.ts';

/** A host with a function that sends requests to its API. */
export interface HostApiClient {
  readonly host: string;
  request(path: string, question?: HostRequest): Promise<HostResponse>;
}

/** An account's record as one API shows it, before it is compared with the requested account. */
export interface Profile extends Omit<HostAccount, 'codePlace'> {
  /** Texts that only the account's owner can write; for an organisation, only its owners. */
  readonly texts: readonly (string | null | undefined)[];
  /** Website of an organisation; null for a person, or if the host has no such field. */
  readonly website: string | null;
  /**
   * Second place (after the profile) where a person can publish the code of a proof. The reader looks it up under the
   * handle that the host returned. Null if there is no such place.
   */
  readonly secondPlace: { readonly place: CodePlace; carries(code: string): Promise<boolean> } | null;
}

/** Reads an account through one host API. The caller has checked that the handle has a form that every host allows. */
export type AccountReader = (from: HostApiClient, handle: string) => Promise<Profile>;

/** Name of the file with a proof's code, at the root of one of the repositories of `codeRepositories`. */
export const CODE_FILE = 'trust-directory.txt';

/**
 * Returns the names of the repositories that may contain the file with a proof's code: `trust-directory`, and the
 * repository named like the account, which GitHub and GitLab show as the account's profile.
 */
export function codeRepositories(handle: string): string[] {
  return ['trust-directory', handle];
}

/** Returns true if one of the texts contains the code of a proof. */
export function containsCode(code: string, texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => text?.includes(code) === true);
}

/**
 * Creates the second place of a person: files of the person's repositories, which are searched for the code of a proof.
 * An organisation must not get this place, because every member or committer can write its files. Redirects are not
 * followed, because a repository that was given away still answers under its former owner's name.
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

/** Returns null if the failure means that there is no usable content; rethrows all other failures. */
export function ignoreNoContent(error: unknown): null {
  if (error instanceof HostFailure && NO_CONTENT.has(error.kind)) return null;
  throw error;
}

const NO_CONTENT: ReadonlySet<string> = new Set(['not_found', 'moved', 'unusable']);
