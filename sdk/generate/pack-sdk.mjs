// Packs the built SDK for download from servers: `node pack-sdk.mjs [--into FOLDER] [--from FOLDER] [--record]`, after the build.
// The same files give the same bytes at any time and place. A version in releases.json keeps its recorded bytes for ever; other
// files get a development version that ends with the hash of their content.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// Compresses in JavaScript, because the output of Node's zlib depends on version and processor.
import { gzipSync } from 'fflate';

const SDK = fileURLToPath(new URL('../', import.meta.url));
const RELEASES = new URL('../releases.json', import.meta.url);
/** Files that npm always packs. */
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

/** Returns a development version, which sorts after all recorded versions and before the next release. */
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

/** Returns the files of a pattern with a star in its last part, or of a folder, recursively. */
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

/** Creates a tarball for npm: entries sorted by name, without owner and date. */
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

/** Creates a ustar header. */
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

/** Writes the tarball and removes older ones. A rename completes the write, so that a server never reads a partial file. */
function write(name, bytes) {
  mkdirSync(options.into, { recursive: true });
  const draft = join(options.into, `${name}.${process.pid}`);
  writeFileSync(draft, bytes);
  renameSync(draft, join(options.into, name));
  for (const other of readdirSync(options.into)) if (other !== name) rmSync(join(options.into, other));
  process.stdout.write(`${name} ${hashOf(bytes)}\n`);
}
