import {
  type CheckItem,
  type FileItems,
  gitItem,
  registryItem,
  repositoryOf,
  type SourceFile,
  skippedItem,
} from './item.ts';
import { type JsonSource, objectOf, parseJsonSource, textOf } from './json-source.ts';
import { specifiedItem } from './requirements.ts';

type At = Pick<CheckItem, 'file' | 'line'>;

/**
 * Reads the MCP servers from a client's settings: `.mcp.json`, `claude_desktop_config.json`, `.cursor/mcp.json`,
 * `.vscode/mcp.json` and files of the same format. Never runs the commands. Of a command, only the packages and
 * repositories that it installs become subjects to look up. Other arguments, environment variables and the URLs of
 * remote servers may contain secrets, and are never sent.
 */
export function readMcpSettings(source: SourceFile): FileItems {
  const json = parseJsonSource(source.text);
  const items: CheckItem[] = [];
  for (const servers of serverLists(json)) {
    for (const [name, server] of Object.entries(servers)) {
      const at = { file: source.path, line: json.lineOf(servers, name) };
      items.push(...serverItems(name, objectOf(server), source, at));
    }
  }
  return { items, local: 0 };
}

/**
 * Returns the objects whose members are servers. The settings of Claude Code have one such object for all projects and
 * one for each project.
 */
function serverLists({ value }: JsonSource): object[] {
  const root = objectOf(value);
  const projects = Object.values(objectOf(root.projects)).map((project) => objectOf(project).mcpServers);
  const lists = [root.mcpServers, root.servers, objectOf(root.mcp).servers, ...projects];
  return lists.filter((each): each is object => typeof each === 'object' && each !== null);
}

function serverItems(
  name: string,
  server: Readonly<Record<string, unknown>>,
  source: SourceFile,
  at: At,
): CheckItem[] {
  const label = `mcp:${name}`;
  const url = textOf(server.url) ?? textOf(server.serverUrl) ?? textOf(server.httpUrl);
  if (textOf(server.command) === undefined) {
    return [
      skippedItem(
        label,
        url === undefined ? 'names no command' : 'remote server: its address is not sent',
        at,
      ),
    ];
  }
  const args = Array.isArray(server.args) ? server.args.filter((each) => typeof each === 'string') : [];
  const words = commandWords([textOf(server.command) ?? '', ...args]);
  const found = commandItems(label, words, source, at);
  // If `env` or an argument sets a variable that configures registries, another registry may serve the package.
  const variables = [
    ...Object.keys(objectOf(server.env)),
    ...args.map((word) => word.split('=', 1)[0] ?? ''),
  ];
  const hasOtherRegistry = variables.some((key) =>
    /^(npm_config_.*(registry|config)|yarn_.*server|(uv|pip)_.*(index|find_links|config).*)$/i.test(key),
  );
  if (!hasOtherRegistry) return found;
  return found.map((item) => ({ ...item, subject: null, skipped: 'may come from another registry' }));
}

/** Returns the words of a command, without programs that only start another one, such as `env` or `sh -c`. */
function commandWords(words: readonly string[]): string[] {
  const program = (words[0] ?? '')
    .replace(/^.*[\\/]/, '')
    .replace(/\.(cmd|exe|ps1)$/i, '')
    .toLowerCase();
  const rest = words.slice(1);
  // A script may run several commands, which are not checked.
  const isScript = words.some((word) => /[;&|<>`\n]|\$\(/.test(word));
  if (/^(cmd|sh|bash|zsh)$/.test(program)) {
    if (isScript) return [program, ...rest];
    const start = rest.findIndex((word) => /^(\/c|-l?c)$/i.test(word));
    return start < 0
      ? [program, ...rest]
      : commandWords(rest.slice(start + 1).flatMap((word) => word.trim().split(/\s+/)));
  }
  if (program === 'env') return commandWords(rest.slice(rest.findIndex((word) => !/^-|=/.test(word))));
  // Some settings have the whole command in one string.
  if (rest.length === 0 && /\s/.test(program) && !isScript)
    return commandWords((words[0] ?? '').trim().split(/\s+/));
  return [program, ...rest];
}

/** Commands that install and run a package, with the ecosystem of the package. */
const RUNNERS: readonly (readonly [words: readonly string[], ecosystem: 'npm' | 'pypi'])[] = [
  [['npx'], 'npm'],
  [['bunx'], 'npm'],
  [['pnpx'], 'npm'],
  [['npm', 'exec'], 'npm'],
  [['npm', 'x'], 'npm'],
  [['pnpm', 'dlx'], 'npm'],
  [['yarn', 'dlx'], 'npm'],
  [['bun', 'x'], 'npm'],
  [['uvx'], 'pypi'],
  [['uv', 'tool', 'run'], 'pypi'],
  [['uv', 'run'], 'pypi'],
  [['pipx', 'run'], 'pypi'],
];
/** Matches a comma between requirements, as in `--with one,two[a,b]>=1,<2`, but no comma inside a requirement. */
const BETWEEN_REQUIREMENTS = /,(?=\s*[\w.-])(?![^[]*\])/;
/** Options of the commands in RUNNERS that name a package. */
const PACKAGE_OPTION = /^(-p|--package|--from|--spec|--with)$/;
/** Options whose value is not a package. */
const OTHER_OPTION =
  /^(-c|--python|--cache|--prefix|--userconfig|--directory|--project|-w|--workspace|--env-file)$/;
/** Options without a value. The word after any other option may be the option's value instead of the package. */
const SWITCH =
  /^(-[dfgnqsvyU]+|--(yes|quiet|silent|verbose|bun|offline|isolated|refresh|reinstall|upgrade|frozen|locked|exact|system|native-tls|managed-python|all-extras|all-groups|pypackages|global|no(-[a-z-]+)?|prefer-[a-z]+|ignore-[a-z]+|show-[a-z]+))$/;
const REGISTRY_OPTION =
  /^(--(@[^:]+:)?registry|--index|--index-url|-i|--default-index|--extra-index-url|--find-links|-f|--userconfig|--globalconfig|--config-file|--pip-args)(=|$)/;

function commandItems(label: string, words: readonly string[], source: SourceFile, at: At): CheckItem[] {
  const runner = RUNNERS.find(([command]) => command.every((word, index) => words[index] === word));
  if (/^(docker|podman|nerdctl)$/.test(words[0] ?? ''))
    return [skippedItem(label, 'container image: the directory has no facts about images', at)];
  if (!runner) return [skippedItem(label, 'runs a program of this machine', at)];
  const [command, ecosystem] = runner;
  const specs: string[] = [];
  let hasOtherRegistry = false;
  let isUnclear = false;
  let first: string | undefined;
  const rest = words.slice(command.length);
  for (let index = 0; index < rest.length && first === undefined; index += 1) {
    const word = rest[index] ?? '';
    const [option = '', joined] = word.split(/=(.*)/s);
    // The value of npm's `-c` and `--call` is a shell script.
    if (ecosystem === 'npm' && /^(-c|--call)$/.test(option))
      return [skippedItem(label, 'runs a program of this machine', at)];
    if (REGISTRY_OPTION.test(word)) hasOtherRegistry = true;
    // The value of uv's `-p` is a version of Python.
    const namesPackage = PACKAGE_OPTION.test(option) && !(ecosystem === 'pypi' && option === '-p');
    if (word === '--') continue;
    if (namesPackage) {
      specs.push(joined ?? rest[index + 1] ?? '');
      if (joined === undefined) index += 1;
    } else if (
      OTHER_OPTION.test(option) ||
      (REGISTRY_OPTION.test(word) && joined === undefined) ||
      option === '-p'
    )
      index += joined === undefined ? 1 : 0;
    else if (!word.startsWith('-')) first = word;
    else if (joined === undefined && !SWITCH.test(word) && !/^-/.test(rest[index + 1] ?? '-'))
      isUnclear = true;
  }
  // With `--package` or `--from`, the first word names a program in that package. `--with` names an additional package.
  const hasOwn = words.some(
    (word) => /^(-p|--package|--from|--spec)(=|$)/.test(word) && !(ecosystem === 'pypi' && word === '-p'),
  );
  if (!hasOwn && first !== undefined && command.join(' ') !== 'uv run') specs.unshift(first);
  const items = specs
    .flatMap((spec) => (ecosystem === 'pypi' ? spec.split(BETWEEN_REQUIREMENTS) : [spec]))
    .map((spec) => specItem(label, spec, ecosystem, source, at));
  // `uv run` installs the packages of `--with`, but not the program that it runs.
  if (specs.length === 0 || command.join(' ') === 'uv run')
    items.push(skippedItem(label, 'runs a program of this machine', at));
  if (hasOtherRegistry)
    return items.map((item) => ({ ...item, subject: null, skipped: 'may come from another registry' }));
  return isUnclear ? [skippedItem(label, 'its command has options that are not known', at)] : items;
}

/** Creates an item for the package argument of a command: a name with or without a version, or a URL. */
function specItem(
  label: string,
  spec: string,
  ecosystem: 'npm' | 'pypi',
  source: SourceFile,
  at: At,
): CheckItem {
  if (/^(\.|\/|~|file:|[A-Za-z]:\\)/.test(spec))
    return skippedItem(label, 'runs a program of this machine', at);
  if (ecosystem === 'pypi') {
    const [, address] = /^(?:[\w.-]+\s*@\s*)?(git\+\S+)$/.exec(spec) ?? [];
    if (address) return gitItem(label, address.replace(/(?<=\/[^/]+\/[^/@]+)@[^/]*$/, ''), at);
    if (/:\/\//.test(spec)) return skippedItem(label, 'from an address of its own', at);
    return specifiedItem(spec.replace(/@(?=\d)/, '==').replace(/@[a-z]\w*$/, ''), source, at);
  }
  const [, name, range] = /^(@[^@/]+\/[^@/]+|[^@/:]+)(?:@(.*))?$/.exec(spec) ?? [];
  if (name === undefined || /^[a-z+]+:/.test(range ?? '')) {
    const address = range ?? (/^[\w.-]+\/[\w.-]+(#.*)?$/.test(spec) ? `github:${spec}` : spec);
    return repositoryOf(address)
      ? gitItem(label, address, at)
      : skippedItem(label, 'from an address of its own', at);
  }
  const version = /^v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)$/.exec(range ?? '')?.[1] ?? null;
  return registryItem('npm', name, version, source.registries.npmRegistryOf(name), source, at.line);
}
