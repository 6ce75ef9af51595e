import { CODE_FORGERIES } from './codes.ts';
import { DOUBTFUL_LISTING_FORGERIES } from './doubtful-listings.ts';
import type { Forgery } from './forgery.ts';
import { FREED_HANDLE_FORGERIES } from './freed-handles.ts';
import { ORGANISATION_FORGERIES } from './organisations.ts';
import { PACKAGE_FORGERIES } from './packages.ts';
import { PLATFORM_FORGERIES } from './platforms.ts';
import { REPOSITORY_HOST_FORGERIES } from './repository-hosts.ts';

/** All forgeries, in the order of the table. */
export const FORGERIES: readonly Forgery[] = [
  ...REPOSITORY_HOST_FORGERIES,
  ...ORGANISATION_FORGERIES,
  ...PACKAGE_FORGERIES,
  ...PLATFORM_FORGERIES,
  ...CODE_FORGERIES,
  ...FREED_HANDLE_FORGERIES,
  ...DOUBTFUL_LISTING_FORGERIES,
];
