import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Naming } from '../../subjects/naming.ts';
import { siteOf } from '../frame/absolute-address.ts';

/** Where packages of the SDK come from. */
export interface SdkSources {
  /** Folder that the build leaves its one package in. */
  readonly built: string;
  /** The operator's folder of earlier versions; null for none. */
  readonly earlier: string | null;
  /** Where people install it from. */
  readonly installFrom: 'server' | 'registry';
}

/** The SDK's packages that this server hands out. */
export interface SdkPackages {
  /** The line that installs the SDK; null if this server was built without it. */
  readonly installLine: string | null;
  /** Reads a package by its file name; null if there is none of this name. */
  read(file: string): Buffer | null;
}

/** Names a package by its version. No name leads out of a folder. */
const PACKAGE_FILE = /^trust-directory-sdk-\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?\.tgz$/;

/** Finds the packages. Throws if the operator's folder is none. */
export function findSdkPackages({ built, earlier, installFrom }: SdkSources, naming: Naming): SdkPackages {
  if (earlier !== null && !isFolder(earlier)) {
    throw new Error(
      `SDK_RELEASES_DIR is ${earlier}, which is no folder. Make it and put earlier packages of the SDK there, or unset it.`,
    );
  }
  const current = isFolder(built) ? readdirSync(built).find((name) => PACKAGE_FILE.test(name)) : undefined;
  const line = current && `npm install ${siteOf(naming)}/sdk/${current}`;
  const folders = [built, ...(earlier === null ? [] : [earlier])];
  return {
    installLine: (installFrom === 'registry' ? 'npm install @trust-directory/sdk' : line) ?? null,
    read(file) {
      if (!PACKAGE_FILE.test(file)) return null;
      for (const folder of folders) {
        const path = join(folder, file);
        if (statSync(path, { throwIfNoEntry: false })?.isFile()) return readFileSync(path);
      }
      return null;
    },
  };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
