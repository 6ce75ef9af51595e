// Cuts the lock file of one workspace package out of that of the project: the same versions, for where it is installed by itself.

const PLACE = 'node_modules/';
const join = (place, name) => (place === '' ? `${PLACE}${name}` : `${place}/${PLACE}${name}`);

/** The place above: of `a/node_modules/b` it is `a`, and of a package or a workspace at the top it is the root. */
function above(place) {
  const end = place.lastIndexOf(`/${PLACE}`);
  return end === -1 ? '' : place.slice(0, end);
}

/** Where Node finds a package that one at `place` asks for; undefined where nowhere. */
function resolve(packages, place, name) {
  for (let at = place; ; at = above(at)) {
    if (packages[join(at, name)]) return join(at, name);
    if (at === '') return undefined;
  }
}

/** What a package asks for; a peer is asked for too, unless it may be left out. */
function asked({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])];
}

/**
 * `packages` is what a lock file (version 3) says of each place, `workspace` the place of the package that is to stand by
 * itself. What it asks for lies at the top, and what asks for another version than lies there has that below it.
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

/** What the workspace needs only in development, or only by choice, may be needed for good where it stands by itself. */
function entryOf({ dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }) {
  return entry;
}

/** Something put further up later may hide what was found before: then this order is no good, and says so. */
function requireSame(packages, origins, own) {
  for (const [place, at] of Object.entries(origins)) {
    for (const name of asked(place === '' ? own : packages[at])) {
      const [wanted, found] = [resolve(packages, at, name), origins[resolve(origins, place, name)]];
      if (wanted !== found) throw new Error(`${at} would get ${found} for ${name}, in place of ${wanted}`);
    }
  }
}
