import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as known from './allowed-values.ts';

const { components } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

it.each([
  ['Tier', known.TIERS],
  ['VerdictState', known.VERDICTS],
  ['Category', known.CATEGORIES],
  ['SubjectType', known.SUBJECT_TYPES],
  ['Operation', known.OPERATIONS],
  ['ChangeKind', known.CHANGE_KINDS],
  ['ReceiptState', known.RECEIPT_STATES],
  ['ListingType', known.LISTING_TYPES],
])("%s has the contract's words", (name, words) => {
  expect(words).toEqual(components.schemas[name].enum);
});

it("the orders are the contract's", () => {
  expect(known.SORTS).toEqual(components.parameters.Sort.schema.enum);
});
