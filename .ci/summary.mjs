// Prints the slowest tests and the closing line of the gate from vitest's JSON reports; exits 1 unless all is well.
import { readFileSync } from 'node:fs';

const [, , failedSteps, ...reportPaths] = process.argv;

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.log(`a test run left no report at ${path}`);
    return null;
  }
}

const reports = reportPaths.map(read);
const files = reports.flatMap((report) => report?.testResults ?? []);
const tests = files.flatMap((file) => file.assertionResults);

console.log('\nThe ten slowest tests:');
for (const { duration, fullName } of [...tests]
  .sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
  .slice(0, 10)) {
  console.log(`${((duration ?? 0) / 1000).toFixed(1).padStart(6)} s  ${fullName}`);
}

// In the gate nothing may be skipped: a test whose tool is missing has not been run.
const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
const skipped = count('skipped', 'pending', 'todo', 'disabled');
for (const { fullName } of skipped) console.log(`not run: ${fullName}`);
const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
for (const { name } of broken) console.log(`could not be run: ${name}`);

// At the end too, where anyone who reads only the last lines finds it.
for (const { fullName, failureMessages } of count('failed')) {
  console.log(`\nfailed: ${fullName}\n${(failureMessages ?? []).join('\n').slice(0, 1_500)}`);
}

const passed = count('passed').length;
const failedTests =
  count('failed').length + skipped.length + broken.length + reports.filter((each) => !each).length;
// A step that failed without a failing test (installation, a check, an unhandled error) counts too.
const failed = failedTests > 0 ? failedTests : Number(failedSteps);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
