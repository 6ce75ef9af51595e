/**
 * The answer of a metered call, as far as the main job goes. Every answer has a `result`; openapi-fetch loses a property
 * whose only value is null.
 */
export interface Answer {
  ok: boolean;
  ledger_id?: string;
  result?: object | null;
  idempotent?: boolean;
}

/** The main job, in the words of the contract: every generated client has to fit it without a cast. */
export interface Directory {
  list(): Promise<{ data: { id: string; name: string }[]; total: number }>;
  detail(id: string): Promise<{ id: string; name: string }>;
  run(request: { operation: 'agent_score'; subject: string; idempotency_key: string }): Promise<Answer>;
}

/** Type of the export of each program: creates its client of a server, calling with a key. */
export type Connect = (site: string, key: string) => Directory;
