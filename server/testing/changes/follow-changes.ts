import { setTimeout as wait } from 'node:timers/promises';
import { publishChanges } from '../../src/directory/changes/change-feed.ts';
import type { Agent, AgentPage, Change, ChangePage } from '../../src/generated/types.gen.ts';
import type { Database } from '../../src/platform/database/connect.ts';

/** Sends a GET request and returns its status and JSON body. */
export type ReadJson = (path: string) => Promise<{ status: number; body: unknown }>;

/**
 * Publishes all changes that are committed now. Waits for older transactions, also those of other databases of the same
 * server, because a watermark stays below them.
 */
export async function publishAll(database: Database): Promise<void> {
  const [{ newest } = { newest: '0' }] = await database.query<{ newest: string }>(
    "SELECT coalesce((SELECT c.xid::text FROM change c ORDER BY c.xid DESC LIMIT 1), '0') AS newest",
  );
  for (;;) {
    await publishChanges(database);
    const [row] = await database.query<{ done: boolean }>(
      'SELECT horizon > $1::xid8 AS done FROM change_watermark ORDER BY horizon DESC LIMIT 1',
      [newest],
    );
    if (row?.done) return;
    await wait(5);
  }
}

/** Copy of the directory's list that only the API keeps up to date, as the contract describes it. */
export class Mirror {
  readonly agents = new Map<string, Agent>();
  readonly #read: ReadJson;
  #cursor = '';
  /** Entries applied so far. */
  applied = 0;

  constructor(read: ReadJson) {
    this.#read = read;
  }

  /** Takes a cursor, then reads the whole list; `between` runs after each page. */
  async start(between: () => Promise<unknown> = async () => undefined): Promise<void> {
    const first = await this.#page(`/api/changes?limit=1&since=${new Date().toISOString()}`);
    await this.startFrom('/api/agents?sort=newest&limit=100', first.cursor, between);
  }

  /** Reads a snapshot, and follows the changes from a cursor that is older. */
  async startFrom(
    snapshot: string,
    cursor: string,
    between: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    this.#cursor = cursor;
    this.agents.clear();
    const path = snapshot.replace('limit=100', 'limit=5');
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await this.#read(`${path}${next === '' ? '' : `&cursor=${next}`}`);
      const page = body as AgentPage;
      for (const agent of page.data) this.agents.set(agent.id, agent);
      next = page.nextCursor;
      await between();
    }
  }

  /** Applies all changes that were published. */
  async follow(limit = 3): Promise<void> {
    for (;;) {
      const { data, cursor, nextCursor } = await this.#page(
        `/api/changes?limit=${limit}&cursor=${this.#cursor}`,
      );
      for (const change of data) this.#apply(change);
      this.#cursor = cursor;
      if (nextCursor === null) return;
    }
  }

  async #page(path: string): Promise<ChangePage> {
    const { status, body } = await this.#read(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body as ChangePage;
  }

  #apply({ agent, agent_id: id, removed, standing }: Change): void {
    this.applied += 1;
    if (agent) this.agents.set(agent.id, agent);
    else if (removed && id) this.agents.delete(id);
    else if (standing)
      for (const [each, shown] of this.agents)
        if (shown.type === standing.type && shown.category === standing.category)
          this.agents.set(each, { ...shown, standing: standingIn(shown, standing) });
  }
}

/** Computes the standing of an entry from the distribution of its category. */
function standingIn(
  agent: Agent,
  standing: NonNullable<Change['standing']>,
): NonNullable<Agent['standing']> | null {
  const { bounds, among, asOf, type, category } = standing;
  const { trustScore: trust, verdict } = agent;
  const isCompared = verdict?.state === 'verified' || verdict?.state === 'well_evidenced';
  if (!isCompared || asOf === null || typeof trust !== 'number') return null;
  return { category, type, percentile: bounds.filter((bound) => bound < trust).length, among, asOf };
}

/** Reads the whole list, sorted by id. */
export async function readList(read: ReadJson): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await read(`/api/agents?sort=name&limit=100${next === '' ? '' : `&cursor=${next}`}`);
    const page = body as AgentPage;
    agents.push(...page.data);
    next = page.nextCursor;
  }
  return sortById(agents);
}

export function sortById(agents: Iterable<Agent>): Agent[] {
  return [...agents].sort((a, b) => (a.id < b.id ? -1 : 1));
}
