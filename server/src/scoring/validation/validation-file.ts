import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../platform/package-files.ts';
import type { ValidationReport } from './validation-report.ts';

/** Path of the result of the last published validation, made by `npm run --silent validate -- --json`. */
const VALIDATION_FILE = packageFile('assets/validation.json');

/** Reads the result of the last published validation; null if none was published with this server. */
export function readValidation(): ValidationReport | null {
  return existsSync(VALIDATION_FILE) ? JSON.parse(readFileSync(VALIDATION_FILE, 'utf8')) : null;
}
