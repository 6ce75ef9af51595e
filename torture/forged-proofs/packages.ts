import type { StandInPackage } from '../../server/testing/stand-ins/stand-in-host-world.ts';
import { type Attempt, type Forgery, published } from './forgery.ts';

const NPM = { kind: 'node_packages', host: 'npmjs.com' } as const;
const PYPI = { kind: 'python_packages', host: 'pypi.org' } as const;

/** Creates a forgery with one package that contains the code. */
function withPackage(
  forged: string,
  on: typeof NPM | typeof PYPI,
  of: (attempt: Attempt) => Partial<StandInPackage>,
): Forgery {
  return published(forged, on, (attempt, description) => {
    const { number, victim, world } = attempt;
    const api = on === NPM ? 'npm' : 'pypi';
    const users = [victim];
    world.standIn.world.package({ ...{ api, name: `tool-${number}`, users, description }, ...of(attempt) });
  });
}

/** Forgeries of accounts on package registries. */
export const PACKAGE_FORGERIES: readonly Forgery[] = [
  withPackage('a version that another maintainer published', NPM, ({ attacker }) => ({
    publisher: attacker,
  })),
  withPackage('a package of the attacker’s', NPM, ({ attacker }) => ({ users: [attacker] })),
  withPackage('a package that names the user in another alphabet', NPM, ({ victim }) => ({
    publisher: victim.replace('i', '\u0456'),
  })),
  withPackage('an answer about another package', NPM, ({ number }) => ({ answeredName: `other-${number}` })),
  withPackage('an answer about a package in other capitals', NPM, ({ number }) => ({
    answeredName: `Tool-${number}`,
  })),
  withPackage('a version that a workflow published', NPM, () => ({ publisher: 'GitHub Actions' })),
  withPackage('a project in which others have a role', PYPI, ({ victim, attacker }) => ({
    users: [victim, attacker],
  })),
  withPackage('a project of the attacker’s', PYPI, ({ attacker }) => ({ users: [attacker] })),
  withPackage('a project that the user only maintains', PYPI, () => ({ role: 'Maintainer' })),
  withPackage('a project in an organisation', PYPI, () => ({ organisation: 'team' })),
  withPackage('a project whose organisation is not told', PYPI, () => ({ organisation: undefined })),
  withPackage('an answer about another project', PYPI, ({ number }) => ({ answeredName: `other-${number}` })),
  withPackage('an answer without a name', PYPI, () => ({ answeredName: '' })),
];
