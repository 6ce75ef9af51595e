import { ACCOUNT_KINDS, type AccountKind } from '../../config/account-kinds.ts';
import { catalogueOf } from '../../config/host-catalogue.ts';
import { readsAccounts } from '../../hosts/host-accounts.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** A host whose accounts can be proved here, and what an account is there. */
export interface ReadablePlace {
  host: string;
  kind: AccountKind;
}

/** Every host whose accounts this server can read, in the order of their kinds. */
export function readablePlaces({ config, hosts }: ConsoleParts): ReadablePlace[] {
  const names = [...catalogueOf(config.hostApiUrls).keys()];
  return ACCOUNT_KINDS.flatMap((kind) =>
    names.filter((host) => readsAccounts(kind, host, { hosts })).map((host) => ({ host, kind })),
  );
}
