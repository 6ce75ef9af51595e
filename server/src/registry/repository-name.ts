const OWNER = /^~?[A-Za-z0-9._-]{1,100}$/;
const REPOSITORY_NAME = /^[A-Za-z0-9._-]{1,100}$/;
const DOTS = /^\.{1,2}$/;

/** True for `owner/name` as repository hosts allow it: one slash, no `.` or `..` as a part. */
export function isRepositoryName(text: string): boolean {
  const [owner = '', name = '', ...more] = text.split('/');
  return more.length === 0 && isOwnerName(owner) && REPOSITORY_NAME.test(name) && !DOTS.test(name);
}

/** True for an account name as repository hosts allow it. */
export function isOwnerName(text: string): boolean {
  return OWNER.test(text) && !DOTS.test(text);
}
