import type { WaitReason } from '../handles/settle-ownership.ts';

const REASONS: Readonly<Record<WaitReason, string>> = {
  not_read: 'its repository could not be read yet',
  gone: 'its host shows no such repository',
  owner_unknown: 'its host does not tell who owns it',
  other_repository: 'another repository has its name now',
  created_later: 'the repository was created after it was listed',
  creation_unknown: 'its host does not tell when the repository was created',
  creation_differs: 'the repository was created at another time than the listed one',
  license_differs: 'the repository has another license than the listed one',
  fork_differs: 'the repository is not a fork of what the listed one is a fork of',
  handle_passed_on: 'the handle was another account’s before',
};

/** Says why a listing waits, as the end of "waits because". */
export function describeReason(reason: WaitReason): string {
  return REASONS[reason];
}
