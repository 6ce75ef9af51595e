import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMeter } from './meter.ts';
import { METRICS, type MetricName } from './metric-definitions.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../ops/watch/${name}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}
const rules: Rule[] = parse(read('alarms.yaml')).groups.flatMap((group: { rules: Rule[] }) => group.rules);
const dashboard: { panels: { title: string; targets?: { expr: string }[] }[] } = JSON.parse(
  read('dashboard.json'),
);
const shown = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ where: title, expr })),
);
const expressions = [...rules.map(({ alert, expr }) => ({ where: alert, expr })), ...shown];

const guide = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8');

const OF_NODE = new Set(createMeter().names());
/** Labels that Prometheus itself adds, and the label of histogram buckets. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];

const seriesIn = (expr: string) => [
  ...expr.matchAll(/\b((?:trust_directory|nodejs|process)_\w+)(\{[^}]*\})?/g),
];

/** Returns the metric of a series as named in the table; undefined if no scrape has it. */
function metricOf(series: string): string | undefined {
  if (OF_NODE.has(series) && !isHistogram(series)) return series;
  const name = series.replace(/_(bucket|sum|count)$/, '');
  return name !== series && isHistogram(name) ? name : undefined;
}

const isHistogram = (name: string) => name in METRICS && METRICS[name as MetricName].type === 'histogram';

/** Lists the labels that an expression uses for a series, in braces or in a `by` clause. */
function labelsIn(expr: string, braces = ''): string[] {
  const asked = [...braces.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return [...asked, ...grouped];
}

describe('alarm rules and dashboard', () => {
  it('name only metrics that a scrape has', () => {
    const unknown = expressions.flatMap(({ where, expr }) =>
      seriesIn(expr).flatMap(([, series = '']) => (metricOf(series) ? [] : [`${where}: ${series}`])),
    );

    expect(expressions.length).toBeGreaterThan(40);
    expect(unknown).toEqual([]);
  });

  it('ask for no label that a metric has not', () => {
    const unknown = expressions.flatMap(({ where, expr }) =>
      seriesIn(expr).flatMap(([, series = '', braces]) => {
        const metric = metricOf(series) ?? '';
        const own: readonly string[] = metric in METRICS ? METRICS[metric as MetricName].labels : [];
        const wrong = labelsIn(expr, braces).filter((label) => ![...own, ...OF_PROMETHEUS].includes(label));
        return wrong.map((label) => `${where}: ${series} has no label ${label}`);
      }),
    );

    expect(unknown).toEqual([]);
  });

  it('leave no metric of the table out of both', () => {
    const named = new Set(
      expressions.flatMap(({ expr }) => seriesIn(expr).map(([, series = '']) => metricOf(series))),
    );

    expect(Object.keys(METRICS).filter((name) => !named.has(name))).toEqual([]);
  });

  it('tell of each alarm who is woken up and what to do first', () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).toContain(labels.severity);
      expect([annotations.summary, annotations.action].every(Boolean), alert).toBe(true);
    }
  });
});

it("the table of metrics in the operator's guide has every metric once", () => {
  const [, section = ''] = /\n## Metrics\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const cells = [...section.matchAll(/^\| [^|]+ \| (`.*) \|$/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const known = Object.keys(METRICS).map((name) => name.replace('trust_directory_', ''));

  expect(documented.sort()).toEqual(known.sort());
});
