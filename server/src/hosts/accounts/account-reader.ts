import type { HostAnswer, HostQuestion } from '../ask-host.ts';
import type { HostAccount } from '../host-account.ts';
import { HostFailure } from '../host-failure.ts';

/** One host, ready to be asked paths of its interface. */
export interface AskedHost {
  readonly host: string;
  ask(path: string, question?: HostQuestion): Promise<HostAnswer>;
}

/** How one interface tells of an account. The handle is in a form that every host allows. */
export type AccountReader = (from: AskedHost, handle: string, code: string | null) => Promise<HostAccount>;

/** The file that carries a code, at the root of one of these repositories of the account. */
export const CODE_FILE = 'trust-directory.txt';

/** Repositories in which the file is looked for: one made for it, and the one that shows as the account's profile. */
export function codeRepositories(handle: string): string[] {
  return ['trust-directory', handle];
}

/** True where one of the texts holds the code. */
export function carries(code: string | null, texts: readonly (string | null | undefined)[]): boolean {
  return code !== null && texts.some((text) => text?.includes(code) === true);
}

/**
 * Looks for the code in files, one after the other. An address that leads elsewhere is not followed: a repository that
 * was given away still answers under its old owner's name.
 */
export async function fileCarries(
  from: AskedHost,
  code: string | null,
  paths: readonly string[],
  accept?: string,
): Promise<boolean> {
  if (code === null) return false;
  for (const path of paths) {
    const answer = await from.ask(path, accept ? { accept } : {}).catch(passOver);
    if (carries(code, [answer?.body])) return true;
  }
  return false;
}

/** No such file, or one that cannot be read as one, carries nothing; a host in trouble is told. */
export function passOver(error: unknown): null {
  if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'unusable')) return null;
  throw error;
}
