import type { HostAnswer, HostQuestion } from '../ask-host.ts';
import type { CodePlace, HostAccount } from '../host-account.ts';
import { HostFailure } from '../host-failure.ts';

/** One host, ready to be asked paths of its interface. */
export interface AskedHost {
  readonly host: string;
  ask(path: string, question?: HostQuestion): Promise<HostAnswer>;
}

/** What one interface tells of an account, before anybody has compared it with what was asked. */
export interface Profile extends Omit<HostAccount, 'codePlace'> {
  /** Texts that only the account's owner, or an organisation's owners, can write. */
  readonly texts: readonly (string | null | undefined)[];
  /** What an organisation names as its website; null for a person, or where the host has no such field. */
  readonly website: string | null;
  /** Where else a person's code counts, asked for under the handle that the host answered with. */
  readonly elsewhere: { readonly place: CodePlace; carries(code: string): Promise<boolean> } | null;
}

/** How one interface tells of an account. The handle is in a form that every host allows. */
export type AccountReader = (from: AskedHost, handle: string) => Promise<Profile>;

/** The file that carries a code, at the root of one of these repositories of the account. */
export const CODE_FILE = 'trust-directory.txt';

/** Repositories in which the file is looked for: one made for it, and the one that shows as the account's profile. */
export function codeRepositories(handle: string): string[] {
  return ['trust-directory', handle];
}

/** True where one of the texts holds the code. */
export function carries(code: string, texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => text?.includes(code) === true);
}

/**
 * A person's files as a place for the code. Not an organisation's: any member or committer can write those. An address
 * that leads elsewhere is not followed: a repository that was given away still answers under its old owner's name.
 */
export function inFiles(from: AskedHost, paths: readonly string[], accept: string): Profile['elsewhere'] {
  return {
    place: 'repository',
    async carries(code) {
      for (const path of paths) {
        const answer = await from.ask(path, { accept }).catch(passOver);
        if (carries(code, [answer?.body])) return true;
      }
      return false;
    },
  };
}

/** What cannot be read as what it should be carries nothing; a host in trouble is told. */
export function passOver(error: unknown): null {
  if (error instanceof HostFailure && CARRIES_NOTHING.has(error.kind)) return null;
  throw error;
}

const CARRIES_NOTHING: ReadonlySet<string> = new Set(['not_found', 'moved', 'unusable']);
