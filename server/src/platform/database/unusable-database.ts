interface Failure {
  readonly code?: unknown;
  readonly message?: string;
  /** One error for each address, if the host has several. */
  readonly errors?: readonly Failure[];
  /** PostgreSQL's error, for a failed migration. */
  readonly cause?: unknown;
  /** Name of the failed migration. */
  readonly migration?: { readonly name: string };
}

/** Advice for operators, by the error of PostgreSQL, the driver or the system in the form `code message`. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'Correct the user and the password in DATABASE_URL, or allow them in pg_hba.conf'],
  [/client password must be a string/, 'Add the password to DATABASE_URL'],
  [/^3D000/, 'Create that database (CREATE DATABASE), or name another one in DATABASE_URL'],
  [
    /^42501.*pg_trgm/,
    'Let a superuser run "CREATE EXTENSION pg_trgm" in that database once, or make the user of DATABASE_URL its owner',
  ],
  [
    /^(0A000|58P01).*pg_trgm/,
    'Install the extensions that come with PostgreSQL on its machine (on Debian the package postgresql-contrib)',
  ],
  [/^42501/, 'Make the user of DATABASE_URL the owner of that database (ALTER DATABASE … OWNER TO …)'],
  [/^25006/, 'Set DATABASE_URL to the primary: a replica is read-only'],
  [/^53300/, 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE and DATABASE_READ_POOL_SIZE'],
  [/^53100|^58030/, 'Free some space on the disk of PostgreSQL'],
  [
    /^(55P03|40P01)/,
    'A long transaction holds a lock that the change needs: wait for its end or end it (pg_stat_activity), then start again. Nothing was changed',
  ],
  [/^57P03/, 'Wait until PostgreSQL has started, and start again'],
  [/^ENOENT.*, open/, 'Correct the paths of the certificates in DATABASE_URL (sslrootcert, sslcert, sslkey)'],
  [/^(ECONNREFUSED|ENOENT)/, 'Start PostgreSQL there, or correct the host and the port in DATABASE_URL'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'Correct the host in DATABASE_URL'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|timeout expired|Query read timeout|Connection terminated)/,
    'See that the host and the port in DATABASE_URL are right, and that no firewall is between',
  ],
  [/does not support SSL/, 'Enable TLS in PostgreSQL (ssl = on), or remove sslmode from DATABASE_URL'],
  [/certificate/i, 'Set sslrootcert in DATABASE_URL to the certificate authority of PostgreSQL'],
];

/** Explains why the database of DATABASE_URL cannot be used and, if known, what to do. */
export function unusableDatabase(error: unknown): Error {
  const failure = innermost(error as Failure);
  const place = (error as Failure).migration
    ? `migration ${(error as Failure).migration?.name} failed: `
    : '';
  const reason = `The database that DATABASE_URL names cannot be used: ${place}${messageOf(failure)}.`;
  const advice = adviceOn(failure);
  return new Error(advice === null ? reason : `${reason} ${advice}.`, { cause: error });
}

/** Explains a failure caused by the address or permissions of a database; returns any other failure unchanged. */
export function explainedFailure(error: unknown): unknown {
  return adviceOn(innermost(error as Failure)) === null ? error : unusableDatabase(error);
}

function adviceOn(failure: Failure): string | null {
  const text = `${String(failure.code ?? '')} ${failure.message ?? ''}`.trim();
  return ADVICE.find(([words]) => words.test(text))?.[1] ?? null;
}

function innermost(error: Failure): Failure {
  if (error.migration && error.cause) return innermost(error.cause as Failure);
  return error.errors?.[0] ?? error;
}

/** Returns the message without its final full stop. */
function messageOf({ message, code }: Failure): string {
  return (message || String(code ?? 'no reason given')).replace(/\.$/, '');
}
