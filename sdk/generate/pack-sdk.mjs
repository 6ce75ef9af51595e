// Packs the built SDK for servers to hand out: `node pack-sdk.mjs [--into FOLDER] [--from FOLDER] [--record]`, after the build.
// The same files give the same bytes, whenever and wherever they are packed. A version that is recorded in releases.json has the
// recorded bytes for ever: files that differ get a version of their own, which ends with the hash of their content.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// Deflates in JavaScript: the zlib of Node compresses differently from one version and processor to the next.
import { gzipSync } from 'fflate';

const SDK = fileURLToPath(new URL('../', import.meta.url));
const RELEASES = new URL('../releases.json', import.meta.url);
/** What npm packs beside the `files` of a package. */
const ALWAYS = ['package.json', 'README.md', 'LICENSE'];

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: SDK },
    into: { type: 'string', default: fileURLToPath(new URL('../../server/dist/sdk', import.meta.url)) },
    record: { type: 'boolean', default: false },
  },
});

const description = readFileSync(join(options.from, 'package.json'), 'utf8');
const { version, files: patterns, bin } = JSON.parse(description);
const programs = new Set(Object.values(bin));
const files = listFiles().map((path) => [path, readFileSync(join(options.from, path))]);
const plain = packAs(version);
const releases = JSON.parse(readFileSync(RELEASES, 'utf8'));
if (options.record) {
  releases[version] = hashOf(plain);
  writeFileSync(RELEASES, `${JSON.stringify(releases, null, 2)}\n`);
}
const isReleased = releases[version] === hashOf(plain);
const packedVersion = isReleased ? version : developmentVersion();
write(`trust-directory-sdk-${packedVersion}.tgz`, isReleased ? plain : packAs(packedVersion));

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Comes after the recorded version, and before the next one. */
function developmentVersion() {
  const [major, minor, patch] = version.split('.').map(Number);
  const next = version in releases ? `${major}.${minor}.${patch + 1}` : version;
  return `${next}-dev-${hashOf(plain).slice(0, 12)}`;
}

function listFiles() {
  const found = [...ALWAYS, ...patterns.flatMap((pattern) => filesOf(pattern))];
  const isAbsent = (path) => !statSync(join(options.from, path), { throwIfNoEntry: false })?.isFile();
  const missing = found.filter(isAbsent);
  if (missing.length > 0)
    throw new Error(`The SDK is not built: ${missing.join(', ')} is missing. Run: npm run build`);
  return [...new Set(found)].sort();
}

/** The files of a pattern with stars in its last part, or of a folder with all that is below it. */
function filesOf(pattern) {
  const last = basename(pattern);
  if (last.includes('*')) {
    const [head, tail] = last.split('*');
    const folder = pattern.slice(0, -last.length);
    return readdirSync(join(options.from, folder))
      .filter((name) => name.startsWith(head) && name.endsWith(tail))
      .map((name) => folder + name);
  }
  if (!statSync(join(options.from, pattern), { throwIfNoEntry: false })?.isDirectory()) return [pattern];
  return readdirSync(join(options.from, pattern), { withFileTypes: true }).flatMap(({ name }) =>
    filesOf(`${pattern}/${name}`),
  );
}

/** A tarball as npm reads it: entries by name, no owner, no date. */
function packAs(named) {
  const entries = files.flatMap(([path, bytes]) => {
    const body =
      path === 'package.json'
        ? Buffer.from(description.replace(`"version": "${version}"`, `"version": "${named}"`))
        : bytes;
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [headerOf(`package/${path}`, body.length, programs.has(path) ? 0o755 : 0o644), body, padding];
  });
  return Buffer.from(gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]), { level: 9, mtime: 1 }));
}

/** A header of the ustar format. */
function headerOf(path, size, mode) {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a name in a tarball.`);
  const header = Buffer.alloc(512);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Renamed into place: a server that starts meanwhile finds the old one or the new one, and then only one. */
function write(name, bytes) {
  mkdirSync(options.into, { recursive: true });
  const draft = join(options.into, `${name}.${process.pid}`);
  writeFileSync(draft, bytes);
  renameSync(draft, join(options.into, name));
  for (const other of readdirSync(options.into)) if (other !== name) rmSync(join(options.into, other));
  process.stdout.write(`${name} ${hashOf(bytes)}\n`);
}
