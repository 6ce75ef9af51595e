// Cuts the lock file of one workspace package out of that of the project: the same versions, for where it is installed by itself.

const PLACE = 'node_modules/';
const join = (place, name) => (place === '' ? `${PLACE}${name}` : `${place}/${PLACE}${name}`);

/** Returns the parent of a place: `a` for `a/node_modules/b`, and the root for a package or a workspace at the top. */
function above(place) {
  const end = place.lastIndexOf(`/${PLACE}`);
  return end === -1 ? '' : place.slice(0, end);
}

/** Resolves a package that the one at `place` requires, as Node does; undefined if it is not installed. */
function resolve(packages, place, name) {
  for (let at = place; ; at = above(at)) {
    if (packages[join(at, name)]) return join(at, name);
    if (at === '') return undefined;
  }
}

/** Lists the dependencies of a package, including peers that are not optional. */
function asked({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])];
}

/**
 * Builds the lock file of a workspace that is installed by itself. `packages` are the entries of a lock file (version 3) by
 * place, `workspace` is the place of the workspace. Its dependencies lie at the top; other versions lie below the packages
 * that need them.
 */
export function lockOf(packages, workspace) {
  const { devDependencies: _, ...own } = packages[workspace];
  const origins = { '': workspace };
  // By breadth: the package's own choices come first to the top.
  const queue = [''];
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    for (const name of asked(place === '' ? own : packages[origins[place]])) {
      const origin = resolve(packages, origins[place], name);
      const known = resolve(origins, place, name);
      if (origin === undefined || origins[known] === origin) continue;
      const free = known === undefined ? join('', name) : join(place, name);
      origins[free] = origin;
      queue.push(free);
    }
  }
  requireSame(packages, origins, own);
  const entries = Object.keys(origins)
    .sort()
    .map((place) => [place, place === '' ? own : entryOf(packages[origins[place]])]);
  return {
    name: own.name,
    version: own.version,
    lockfileVersion: 3,
    requires: true,
    packages: Object.fromEntries(entries),
  };
}

/**
 * Removes flags such as `dev` from an entry, because a package that the workspace needs only in development may be needed at
 * run time here.
 */
function entryOf({ dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }) {
  return entry;
}

/** Throws if a package that was placed later hides one that was resolved before, because the layout would then be wrong. */
function requireSame(packages, origins, own) {
  for (const [place, at] of Object.entries(origins)) {
    for (const name of asked(place === '' ? own : packages[at])) {
      const [wanted, found] = [resolve(packages, at, name), origins[resolve(origins, place, name)]];
      if (wanted !== found) throw new Error(`${at} would get ${found} for ${name}, in place of ${wanted}`);
    }
  }
}
