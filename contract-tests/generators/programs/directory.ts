/**
 * Members of a metered call's answer that the programs read. `result` is optional, although every answer has it, because
 * openapi-fetch drops a property whose only value is null.
 */
export interface Answer {
  ok: boolean;
  ledger_id?: string;
  result?: object | null;
  idempotent?: boolean;
}

/**
 * Calls of a typical program, in the terms of the contract. Every generated client must provide them without a cast.
 */
export interface Directory {
  list(): Promise<{ data: { id: string; name: string }[]; total: number }>;
  detail(id: string): Promise<{ id: string; name: string }>;
  run(request: { operation: 'agent_score'; subject: string; idempotency_key: string }): Promise<Answer>;
}

/** Type of the export of each program: creates a generated client for a server, with an access key. */
export type Connect = (site: string, key: string) => Directory;
