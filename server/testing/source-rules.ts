/** What a product file must not hold beside its role: a sentence for each breach. `path` begins at `server/src/`. */
export function breachesOfLayers(path: string, text: string): string[] {
  const code = withoutComments(text);
  return RULES.filter(({ breaks }) => breaks(path, code)).map(({ instead }) => instead);
}

/** Talks to PostgreSQL, and speaks its language. */
const OF_SQL = /\.(repository|sql)\.ts$/;
/** The floor below repositories: sessions, migrations, models and what keeps statements. */
const DATABASE = /^database\//;
/** A piece of SQL that other rooms put into statements of their own; no statement by itself. */
const OF_PIECES = /\.condition\.ts$/;
/** A whole statement at the beginning of a text; the words alone are English too. */
const STATEMENT =
  /['"`]\s*(\$\{\w+\}\s*)?(SELECT\s+\S|INSERT INTO\s|UPDATE\s+\w+(\s+\w+)?\s+SET\b|DELETE FROM\s|WITH\s+(RECURSIVE\s+)?\w+\s*(\([^)]*\)\s*)?AS\b)/;
/** Rooms of money, keys and people: what they read is of this moment, and nobody else's. */
const OF_ONE_ACCOUNT =
  /^(accounts|balance|callers|console|handles|keys|ledger|operations|plans|proofs|receipts|sign-in|usage|pages\/sign-in)\//;
/** What may lead to a replica of the database, and what makes it. */
const READS = /\.reads\b|[{,(]\s*reads\s*[,})]|\b(beginReads|ownReads|readFromReplicas|ReplicatedReads)\b/;

/** Left on the server process, which a pooler gives to another session next. */
const OF_SESSION =
  /['"`;]\s*SET\s+(SESSION\s+)?(?!LOCAL\b|TRANSACTION\b)\w+\s*(=|TO\b)|\bset_config\([^)]*,\s*false\s*\)|\bpg_(try_)?advisory_(un)?lock/;
/** Where it is made sure that the process is the session's own. */
const KNOWS_ITS_PROCESS = /^database\/(own-session|advisory-lock)\.ts$/;

/** A file beside the code, named from where the code stands. */
const FILE_BESIDE = /new URL\([^)]*,\s*import\.meta\.url\s*\)/;
/** The build puts the code together in folders as deep as these. */
const IN_A_ROOM = /^[^/]+\/[^/]+$/;

const RULES: readonly { breaks(path: string, code: string): boolean; instead: string }[] = [
  {
    breaks: (path, code) =>
      STATEMENT.test(code) && ![OF_SQL, OF_PIECES, DATABASE].some((role) => role.test(path)),
    instead: 'a statement stands in a *.repository.ts or *.sql.ts of its room, with its reason',
  },
  {
    breaks: (path, code) =>
      /\bmodels\.[A-Z]\w+\.\w+\(/.test(code) && !path.endsWith('.repository.ts') && !DATABASE.test(path),
    instead: 'a model is used by a *.repository.ts of its room',
  },
  {
    breaks: (path, code) => OF_ONE_ACCOUNT.test(path) && READS.test(code),
    instead: 'money, keys and people are read from `database`: what is called `reads` may be a replica',
  },
  {
    breaks: (path, code) => /\.query\b/.test(code) && OF_PIECES.test(path),
    instead: 'a piece of SQL is put into statements elsewhere, and sends none',
  },
  {
    breaks: (path, code) => OF_SESSION.test(code) && !KNOWS_ITS_PROCESS.test(path),
    instead:
      'behind a pooler a setting or lock of a session becomes that of another: SET LOCAL, setForSession, withAdvisoryLock',
  },
  {
    breaks: (path, code) => FILE_BESIDE.test(code) && !IN_A_ROOM.test(path),
    instead:
      'a file beside the code is named by a module right in a room: from there alone the built server finds it, too',
  },
];

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => (comment.includes('planned anew') ? comment : ''))
    .replace(/^\s*\/\/.*$/gm, '');
}
