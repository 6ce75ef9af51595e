import { expect, it } from 'vitest';
import { conflictingHeaders } from './conflicting-headers.ts';

it.each([
  ['an ambiguous subject', 409, { code: 'subject_ambiguous' }, ['retry-after']],
  ['a call in progress', 409, { code: 'idempotency_in_progress' }, []],
  ['a fresh result', 200, { result: {} }, ['idempotent-replayed']],
  ['a dry run', 200, { result: null, dry_run: true }, ['idempotent-replayed']],
  ['a replay', 200, { result: null, idempotent: true }, []],
  ['a last page', 200, { nextCursor: null }, ['idempotent-replayed', 'link']],
  ['a page with a next one', 200, { nextCursor: 'W10' }, ['idempotent-replayed']],
  ['no JSON', 304, undefined, []],
])('%s loses the headers that it contradicts, and no other', (_name, status, body, expected) => {
  expect(conflictingHeaders(status, body)).toEqual(expected);
});
