// Prints the slowest tests and the closing line of the gate from vitest's JSON report; exits 1 unless all is well.
import { readFileSync } from 'node:fs';

const [, , reportPath, failedSteps] = process.argv;
let report = { numPassedTests: 0, numFailedTests: 0, numTotalTests: 0, numPendingTests: 0, testResults: [] };
try {
  report = JSON.parse(readFileSync(reportPath, 'utf8'));
} catch {
  console.log('the test run left no report');
}

const tests = report.testResults.flatMap((file) => file.assertionResults);
const slowest = [...tests].sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0)).slice(0, 10);
console.log('\nThe ten slowest tests:');
for (const { duration, fullName } of slowest) console.log(`${((duration ?? 0) / 1000).toFixed(1).padStart(6)} s  ${fullName}`);

// In the gate nothing may be skipped: a test whose tool is missing has not been run.
const skipped = tests.filter(({ status }) => status === 'skipped' || status === 'pending' || status === 'todo');
for (const { fullName } of skipped) console.log(`not run: ${fullName}`);

const brokenFiles = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
const failed = report.numFailedTests + skipped.length + brokenFiles;
// A step that failed without a failing test (installation, checks, a coverage gate) counts as one.
const total = failed > 0 ? failed : Number(failedSteps);
console.log(`\n${report.numPassedTests} passed, ${total} failed`);
process.exit(total === 0 && report.numPassedTests > 0 ? 0 : 1);
