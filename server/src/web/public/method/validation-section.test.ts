import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { packageFile } from '../../../platform/package-files.ts';
import { MEASURED_METHODS } from '../../../scoring/validation/score-listing.ts';
import { readValidation, type ValidationReport } from '../../../scoring/validation/validation-report.ts';
import { formatCount, formatDay } from '../../components/formatting.tsx';
import { methodDocument } from './method.page.tsx';

const publicUrls = createPublicUrls('https://trust.example');
const FILE = packageFile('assets/validation.json');

/** Returns the page's section about the validation as text without markup. */
function sectionOf(report: ValidationReport | null): string {
  const document = methodDocument(publicUrls, report);
  const start = document.indexOf('<section class="card" aria-labelledby="validation"');
  const end = document.indexOf('<section class="card" aria-labelledby="search"');
  return start < 0 ? '' : textOf(document.slice(start, end));
}

function textOf(markup: string): string {
  return markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

function publishedReport(): ValidationReport {
  const report = readValidation();
  if (report === null) throw new Error(`${FILE} is missing`);
  return report;
}

describe('the published validation', () => {
  it('has figures of every method of this server', () => {
    expect(existsSync(FILE)).toBe(true);
    expect(publishedReport().methods.map(({ method }) => method)).toEqual(
      MEASURED_METHODS.map(({ version }) => version),
    );
  });

  it('is small, and has neither labels nor listings', () => {
    const text = readFileSync(FILE, 'utf8');

    expect(text.length).toBeLessThan(30_000);
    expect(text).not.toContain('"subject"');
    expect(text).not.toContain('"listings": [');
  });

  it('is shown on the page with its date, figures, limits and sources', () => {
    const report = publishedReport();
    const shown = sectionOf(report);

    expect(textOf(methodDocument(publicUrls))).toContain(shown);
    expect(shown).toContain(formatDay(report.date));
    for (const limit of report.limits) expect(shown).toContain(limit);
    for (const { group, rows, source, licence } of report.labels?.groups ?? [])
      expect(shown).toContain(`${group} : ${formatCount(rows)}, from ${source} , licence ${licence}`);
    for (const { method, scored, listings, labelled, stability } of report.methods) {
      expect(shown).toContain(`Method ${method}`);
      expect(shown).toContain(`${formatCount(scored)} of ${formatCount(listings)}`);
      for (const share of labelled ? [labelled.recall, labelled.falseWarnings] : [])
        expect(shown).toContain(`${formatCount(share.warned)} of ${formatCount(share.scored)}`);
      for (const { notMeasurable } of labelled?.classes ?? [])
        if (notMeasurable !== null) expect(shown).toContain(`${notMeasurable} not measurable`);
      for (const { list, trust, confidence } of stability) {
        expect(shown).toContain(list);
        expect(shown).toContain(`${trust.mean.toFixed(1)}, ${trust.largest.toFixed(1)}`);
        expect(shown).toContain(`${confidence.mean.toFixed(1)}, ${confidence.largest.toFixed(1)}`);
      }
    }
  });
});

describe('the section about a validation', () => {
  it('is omitted if no validation was published', () => {
    expect(methodDocument(publicUrls, null)).not.toContain('id="validation"');
  });

  it('shows area under the curve and calibration error, each with its interval if it has one', () => {
    const report = publishedReport();
    const side = { listings: 40, clusters: 35 };
    const measured = {
      name: 'skill',
      good: side,
      bad: side,
      notMeasurable: null,
      areaUnderCurve: { value: 0.7312, interval: { low: 0.61, high: 0.8 } },
      calibration: { error: 0.21, interval: null, bins: [] },
    };
    const methods = report.methods.map((figures) => ({
      ...figures,
      labelled: figures.labelled && { ...figures.labelled, classes: [measured] },
    }));

    const shown = sectionOf({ ...report, methods });

    expect(shown).toContain('(AUC) 95% interval 0.610 to 0.800 0.731');
    expect(shown).toContain('(calibration error) 0.210');
    expect(shown).not.toContain('not measurable');
  });

  it('escapes the names of lists and collections', () => {
    const hostile = '<img src=x>';
    const report = publishedReport();
    const labels = {
      rows: 1,
      malformed: 0,
      groups: [{ group: hostile, rows: 1, source: hostile, licence: 'MIT' }],
    };

    expect(methodDocument(publicUrls, { ...report, labels })).not.toContain(hostile);
  });
});
