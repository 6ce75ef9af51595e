import { setTimeout as wait } from 'node:timers/promises';
import { publishChanges } from '../../src/directory/changes/change-feed.ts';
import type { Agent, AgentPage, Change, ChangePage, Subject } from '../../src/generated/types.gen.ts';
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

/** Copy of the directory that only the API keeps up to date, as the contract describes it. */
export class Mirror {
  readonly agents = new Map<string, Agent>();
  /** Creators, accounts and artifacts by id. */
  readonly subjects = new Map<string, Subject>();
  readonly #read: ReadJson;
  #cursor = '';
  /** Entries applied so far. */
  applied = 0;
  /** Subjects whose verdict changed although the feed had no entry of the kind `verdict` for them. */
  readonly unannounced: string[] = [];

  constructor(read: ReadJson) {
    this.#read = read;
  }

  /** Reads a snapshot, and the changes since; `between` runs after each of the first 20 pages. */
  async start(
    between: () => Promise<unknown> = async () => undefined,
    snapshot = '/api/changes?snapshot=true&limit=100',
  ): Promise<void> {
    this.agents.clear();
    this.subjects.clear();
    const path = snapshot.replace('limit=100', 'limit=5');
    for (let next: string | null = '', pages = 0; next !== null; pages += 1) {
      const page: ChangePage = await this.#page(`${path}${next === '' ? '' : `&cursor=${next}`}`);
      for (const change of page.data) this.#apply(change);
      [next, this.#cursor] = [page.nextCursor, page.cursor];
      if (pages < 20) await between();
    }
  }

  /** Applies all changes that were published. */
  async follow(limit = 3): Promise<void> {
    const before = this.#verdicts();
    const announced = new Set<string>();
    for (let next: string | null = this.#cursor; next !== null; ) {
      const page: ChangePage = await this.#page(`/api/changes?limit=${limit}&cursor=${next}`);
      for (const change of page.data) {
        this.#apply(change);
        if (change.kinds.includes('verdict')) announced.add(change.agent_id ?? change.canonical_id ?? '');
      }
      [next, this.#cursor] = [page.nextCursor, page.cursor];
    }
    for (const [id, verdict] of this.#verdicts())
      if (before.has(id) && before.get(id) !== verdict && !announced.has(id)) this.unannounced.push(id);
  }

  /** Returns the state and the reasons of each verdict, by id. */
  #verdicts(): Map<string, string> {
    const all = [...this.agents.entries(), ...this.subjects.entries()];
    return new Map(
      all.map(([id, { verdict }]) => [
        id,
        JSON.stringify([verdict?.state, verdict?.reasons.map((each) => each.code)]),
      ]),
    );
  }

  async #page(path: string): Promise<ChangePage> {
    const { status, body } = await this.#read(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body as ChangePage;
  }

  #apply({ agent, subject, agent_id: id, canonical_id: subjectId, removed, standing }: Change): void {
    this.applied += 1;
    if (agent) this.agents.set(agent.id, agent);
    else if (subject) this.subjects.set(subject.canonical_id, subject);
    else if (removed && subjectId) {
      this.agents.delete(id ?? '');
      this.subjects.delete(subjectId);
    } else if (standing)
      for (const [each, shown] of this.agents)
        if (shown.type === standing.type && shown.category === standing.category)
          this.agents.set(each, { ...shown, standing: standingIn(shown, standing) });
  }
}

/** Computes the percentile of an entry in its category; null if the entry is not compared with others. */
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

/** Reads all creators, accounts and artifacts of the directory by id, each with only the members that a mirror stores. */
export async function readSubjects(database: Database, read: ReadJson): Promise<Map<string, Subject>> {
  const rows = await database.query<{ id: string }>(
    `SELECT subject_id AS id FROM artifact UNION SELECT subject_id FROM platform_account
     UNION SELECT subject_id FROM creator WHERE merged_into IS NULL ORDER BY id`,
  );
  const subjects = new Map<string, Subject>();
  for (const { id } of rows) {
    const { body } = await read(`/api/subjects/${id}`);
    const { relations: _relations, ...subject } = body as Subject;
    subjects.set(id, subject);
  }
  return subjects;
}

export function sortById(agents: Iterable<Agent>): Agent[] {
  return [...agents].sort((a, b) => (a.id < b.id ? -1 : 1));
}
