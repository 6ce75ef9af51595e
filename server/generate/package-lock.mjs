// Derives the lock file of one workspace package from that of the project, with the same versions, for installing the package by
// itself.

const PLACE = 'node_modules/';
const join = (place, name) => (place === '' ? `${PLACE}${name}` : `${place}/${PLACE}${name}`);

/** Returns the parent of a path: `a` for `a/node_modules/b`, and the root for a package or a workspace at the top. */
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
 * path, `workspace` is the path of the workspace. Dependencies are at the top level; a second version of a package is below
 * the package that needs it.
 */
export function lockOf(packages, workspace) {
  const { devDependencies: _, ...own } = packages[workspace];
  const origins = { '': workspace };
  // Breadth first, so that the versions that the workspace itself requires get the top level.
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
