/** SQL that is true of an account `alias` whose keys and sessions are refused: suspended by the operator, or deleted. */
export function accountRefused(alias: string): string {
  return `(${alias}.suspended_at IS NOT NULL OR ${alias}.deleted_at IS NOT NULL)`;
}
