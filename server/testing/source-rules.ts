import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the server's source. */
export const SOURCE_ROOT = fileURLToPath(new URL('../src/', import.meta.url));

/** Lists the product files of the server, with paths relative to `SOURCE_ROOT`: no tests, nothing generated. */
export function productFiles(): string[] {
  return readdirSync(SOURCE_ROOT, { recursive: true })
    .map((file) => `${file}`.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test(-d)?\.tsx?$|^generated\//.test(path));
}

/** Lists the layer rules that a product file breaks, one sentence each. `path` is relative to `server/src/`. */
export function breachesOfLayers(path: string, text: string): string[] {
  const code = withoutComments(text);
  return RULES.filter(({ breaks }) => breaks(path, code)).map(({ instead }) => instead);
}

/** Files that talk to PostgreSQL and contain SQL. */
const OF_SQL = /\.(queries|sql)\.ts$/;
/** Layer below the queries: sessions, migrations, models, batching and recorded metrics. */
const DATABASE = /^platform\//;
/** SQL fragments that other modules embed in their statements; no complete statements. */
const OF_PIECES = /\.fragment\.ts$/;
/** Files of the ledger and of bulk writes: each is one long statement with the code that sends it. */
const OF_ONE_STATEMENT =
  /^(billing\/ledger\/|catalog\/.*\/(write|save|match|refresh)-|catalog\/(creators\/(creator-names|verified)|listings\/listing-aliases|relations\/relation-ends)\.ts)/;
/** Matches a complete statement at the beginning of a text; its keywords alone are also English words. */
const STATEMENT =
  /['"`]\s*(\$\{\w+\}\s*)?(SELECT\s+\S|INSERT INTO\s|UPDATE\s+\w+(\s+\w+)?\s+SET\b|DELETE FROM\s|WITH\s+(RECURSIVE\s+)?\w+\s*(\([^)]*\)\s*)?AS\b)/;
/** Modules of money, keys and people, which must read current data of one account. */
const OF_ONE_ACCOUNT = /^(access|accounts|billing|operations|ownership|web\/console|web\/public\/sign-in)\//;
/** Matches connections that may lead to a read replica, and their creation. */
const READS = /\.reads\b|[{,(]\s*reads\s*[,})]|\b(beginReads|ownReads|readFromReplicas|ReplicatedReads)\b/;

/** Matches SQL that changes the state of a server process, which a pooler later gives to another session. */
const OF_SESSION =
  /['"`;]\s*SET\s+(SESSION\s+)?(?!LOCAL\b|TRANSACTION\b)\w+\s*(=|TO\b)|\bset_config\([^)]*,\s*false\s*\)|\bpg_(try_)?advisory_(un)?lock/;
/** Files that check that the server process belongs to the session. */
const KNOWS_ITS_PROCESS = /^platform\/database\/(with-session|advisory-lock)\.ts$/;

/** Matches a data file addressed relative to the code. */
const FILE_BESIDE = /new URL\([^)]*,\s*import\.meta\.url\s*\)/;
/** The one file that derives paths from its own place: it is as deep in the package as the bundles of the build. */
const KNOWS_ITS_FOLDER = /^platform\/package-files\.ts$/;

const RULES: readonly { breaks(path: string, code: string): boolean; instead: string }[] = [
  {
    breaks: (path, code) =>
      STATEMENT.test(code) &&
      ![OF_SQL, OF_PIECES, OF_ONE_STATEMENT, DATABASE].some((role) => role.test(path)),
    instead: 'put SQL statements into a *.queries.ts or *.sql.ts of the module, with the reason for SQL',
  },
  {
    breaks: (path, code) =>
      /\bmodels\.[A-Z]\w+\.\w+\(/.test(code) && !path.endsWith('.queries.ts') && !DATABASE.test(path),
    instead: 'use models only in a *.queries.ts of the module',
  },
  {
    breaks: (path, code) => OF_ONE_ACCOUNT.test(path) && READS.test(code),
    instead: 'read money, keys and people from `database`: `reads` may be a replica',
  },
  {
    breaks: (path, code) => /\.query\b/.test(code) && OF_PIECES.test(path),
    instead: 'a *.fragment.ts contains SQL fragments only: send statements elsewhere',
  },
  {
    breaks: (path, code) => OF_SESSION.test(code) && !KNOWS_ITS_PROCESS.test(path),
    instead:
      'behind a pooler session settings and locks leak to other clients: use SET LOCAL, setForSession or withAdvisoryLock',
  },
  {
    breaks: (path, code) => FILE_BESIDE.test(code) && !KNOWS_ITS_FOLDER.test(path),
    instead:
      'name files of the package with packageFile(): only platform/package-files.ts lies as deep as the bundled server',
  },
];

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => (comment.includes('planned anew') ? comment : ''))
    .replace(/^\s*\/\/.*$/gm, '');
}
