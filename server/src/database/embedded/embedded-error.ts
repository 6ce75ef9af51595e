/** The embedded PostgreSQL cannot be used; the message is one plain sentence for the operator, with a way out. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The way out that always works, appended to every reason why the embedded server cannot run. */
export const USE_YOUR_OWN = 'or set DATABASE_URL to a PostgreSQL 15 or newer of your own';
