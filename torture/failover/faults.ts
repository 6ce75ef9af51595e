import type { LineName, Node } from '../../ops/ha/node.ts';
import type { Roles } from '../../ops/ha/roles.ts';
import { mustHold } from '../experiment.ts';

/** Nodes that a fault acts on, and a function that cuts their connections. */
export interface Victims {
  readonly leader: Node;
  readonly standby: Node;
  /** Cuts some connections of a node, or restores them. */
  cut(node: Node, lines: readonly LineName[], isCut: boolean): void;
}

/** A failure of one node of the cluster or of its connections. */
export interface Fault {
  readonly name: string;
  strike(victims: Victims): Promise<void> | void;
  /** Ends the fault, as an operator or the passing of time would. */
  heal(victims: Victims): void;
  /** True once the cluster has reacted to the fault, for example with a new leader. */
  isAnswered(victims: Victims, now: Roles): boolean;
}

const anotherLeads = ({ leader }: Victims, now: Roles) => now.leader !== null && now.leader !== leader;
const anotherConfirms = ({ standby }: Victims, now: Roles) => now.standby !== null && now.standby !== standby;

const kill: Fault = {
  name: 'kill -9 of the leader',
  strike: ({ leader }) => leader.kill(),
  heal: ({ leader }) => leader.start(),
  isAnswered: anotherLeads,
};

const switchover: Fault = {
  name: 'switchover',
  async strike({ leader, standby }) {
    const body = JSON.stringify({ leader: leader.plan.name, candidate: standby.plan.name });
    const url = `http://127.0.0.1:${leader.plan.restPort}/switchover`;
    const answer = await fetch(url, { method: 'POST', body });
    mustHold(answer.ok, `the switchover was refused: ${await answer.text()}`);
  },
  heal: () => undefined,
  isAnswered: anotherLeads,
};

const freezeLeader: Fault = {
  name: 'leader frozen',
  strike: ({ leader }) => leader.freeze(),
  heal: ({ leader }) => leader.thaw(),
  isAnswered: anotherLeads,
};

const freezeStandby: Fault = {
  name: 'standby frozen',
  strike: ({ standby }) => standby.freeze(),
  heal: ({ standby }) => standby.thaw(),
  isAnswered: anotherConfirms,
};

function partition(name: string, lines: readonly LineName[]): Fault {
  return {
    name: `leader cut off from ${name}`,
    strike: ({ leader, cut }) => cut(leader, lines, true),
    heal: ({ leader, cut }) => cut(leader, lines, false),
    isAnswered: anotherLeads,
  };
}

/**
 * The most dangerous fault: clients still reach a leader that is cut off from the other nodes. The leader acknowledges calls
 * until it notices that it is no longer the leader.
 */
export const clientsStay = partition('the others, not from clients', ['etcd', 'replication', 'members']);

const KINDS: Readonly<Record<string, { readonly times: number; readonly faults: readonly Fault[] }>> = {
  kill: { times: 5, faults: [kill] },
  switchover: { times: 5, faults: [switchover] },
  freeze: { times: 3, faults: [freezeLeader, freezeStandby] },
  partition: {
    times: 3,
    faults: [
      clientsStay,
      partition('everybody', ['etcd', 'replication', 'members', 'checks', 'clients']),
      partition('etcd alone', ['etcd']),
    ],
  },
};

/** Plans the faults of a run: `timesEach` faults of each kind, by default as many as KINDS states. Throws for an unknown kind. */
export function planFaults(kinds: readonly string[] = Object.keys(KINDS), timesEach?: number): Fault[] {
  return kinds.flatMap((name) => {
    const kind = KINDS[name];
    if (!kind) throw new Error(`There is no fault ${name}. There are ${Object.keys(KINDS).join(', ')}.`);
    const { times, faults } = kind;
    return Array.from({ length: timesEach ?? times }, (_, i) => faults[i % faults.length] as Fault);
  });
}
