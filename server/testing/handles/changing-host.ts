import type { StandInAccount, StandInRepository, StandInWorld } from '../stand-ins/stand-in-host-world.ts';

/** Accounts and repositories of a stand-in GitHub whose names and owners change, as on the real one. */
export interface ChangingHost {
  readonly accounts: StandInAccount[];
  readonly repositories: StandInRepository[];
  /** Free logins, oldest first. */
  readonly freed: string[];
  /** `owner/name` of deleted repositories. */
  readonly deleted: string[];
  /** Owner ids with which the requests for a repository were answered: one per request, latest last. Keyed by repository id. */
  shown: Map<string, readonly string[]>;
  open(login: string): StandInAccount;
  create(owner: StandInAccount, name: string, createdAt?: string): StandInRepository;
  nameOf(repository: StandInRepository): string;
  ownerOf(repository: StandInRepository): StandInAccount;
  find(name: string): StandInRepository | undefined;
  /** Gives an account this login, or a new one, and frees its previous login. */
  renameAccount(account: StandInAccount, login?: string): void;
  deleteAccount(account: StandInAccount): void;
  renameRepository(repository: StandInRepository): void;
  transfer(repository: StandInRepository, to: StandInAccount): void;
  deleteRepository(repository: StandInRepository): void;
  /** Records the owner id that a request shows; pass it to the stand-in's `onRequest`. */
  note(path: string): Promise<void>;
}

/**
 * Creates a host in a stand-in's world. The tag is the prefix of every login, so that several hosts can share one
 * world.
 */
export function changingHost(world: StandInWorld, tag: string): ChangingHost {
  let number = 0;
  const next = () => ++number;
  const host: ChangingHost = {
    accounts: [],
    repositories: [],
    freed: [],
    deleted: [],
    shown: new Map(),
    open(login) {
      const account = world.account({ handle: login, createdAt: '2012-03-04T00:00:00Z' });
      host.accounts.push(account);
      return account;
    },
    create(owner, name, createdAt) {
      // Each repository has its own creation date, which distinguishes repositories with unknown ids.
      const moment = createdAt ?? new Date(Date.UTC(2020, 0, 1 + next())).toISOString();
      const repository = world.repository({
        name: `${owner.handle}/${name}`,
        ownerId: owner.id,
        createdAt: moment,
        formerNames: [],
      });
      // Use the id as the number of stars, so that stored facts show which repository they are from.
      repository.stars = Number(repository.id);
      host.repositories.push(repository);
      return repository;
    },
    nameOf: (repository) => `${host.ownerOf(repository).handle}/${repository.name.split('/')[1]}`,
    ownerOf(repository) {
      const owner = host.accounts.find(({ id }) => id === repository.ownerId);
      if (!owner) throw new Error(`${repository.name} has no owner`);
      return owner;
    },
    find: (name) => host.repositories.find((each) => host.nameOf(each) === name),
    renameAccount(account, login = `${tag}-login-${next()}`) {
      for (const each of host.repositories) {
        if (each.ownerId === account.id) each.formerNames.push(host.nameOf(each));
      }
      host.freed.push(account.handle);
      account.handle = login;
      remove(host.freed, login);
    },
    deleteAccount(account) {
      for (const each of [...host.repositories]) {
        if (each.ownerId === account.id) host.deleteRepository(each);
      }
      host.freed.push(account.handle);
      remove(host.accounts, account);
      remove(world.accounts, account);
    },
    renameRepository(repository) {
      const name = host.nameOf(repository);
      repository.formerNames.push(name);
      repository.name = `${name.split('/')[0]}/tool-${next()}`;
    },
    transfer(repository, to) {
      const [, name] = host.nameOf(repository).split('/');
      if (host.find(`${to.handle}/${name}`)) return;
      repository.formerNames.push(host.nameOf(repository));
      repository.ownerId = to.id;
      repository.name = `${to.handle}/${name}`;
    },
    deleteRepository(repository) {
      host.deleted.push(host.nameOf(repository));
      remove(host.repositories, repository);
      remove(world.repositories, repository);
    },
    async note(path) {
      const [, , kind, first, second] = path.split(/[/?]/).map(decodeURIComponent);
      const asked =
        kind === 'repos'
          ? host.find(`${first}/${second}`)
          : host.repositories.find(({ id }) => kind === 'repositories' && id === first);
      if (asked?.ownerId) host.shown.set(asked.id, [...(host.shown.get(asked.id) ?? []), asked.ownerId]);
    },
  };
  return host;
}

function remove<Thing>(things: Thing[], thing: Thing): void {
  const place = things.indexOf(thing);
  if (place >= 0) things.splice(place, 1);
}
