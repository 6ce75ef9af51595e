import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

/** Path of Debian's Chromium, unless CHROMIUM names another. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Render letters the same on every machine: no hinting, no sub-pixels, one colour profile.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Folder with the settings and the cache of fonts, which all runs share, so that Chromium reads the fonts once. */
const FONTS = fileURLToPath(new URL('../../../node_modules/.cache/test-fonts', import.meta.url));

let shared: Promise<Browser> | undefined;

/**
 * Opens a headless Chromium with a single font family, so that pages look the same on every machine. All test files of a
 * worker share one, because a start costs more than many of their tests; `close` closes a file's windows, and the browser ends
 * with the worker.
 */
export async function openBrowser(): Promise<TestBrowser> {
  if (!(await shared)?.isConnected()) shared = launch();
  const browser = await (shared as Promise<Browser>);
  return {
    browser,
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

async function launch(): Promise<Browser> {
  await mkdir(FONTS, { recursive: true });
  const file = join(FONTS, 'fonts.conf');
  // Other workers may read the file at this moment, so replace it as a whole.
  await writeFile(`${file}.${process.pid}`, fontSettings(join(FONTS, 'cache')));
  await rename(`${file}.${process.pid}`, file);
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: file },
  });
}

function fontSettings(cache: string): string {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const alias = (family: string, font: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>
     <edit name="family" mode="assign" binding="strong"><string>${font}</string></edit></match>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
    <dir>${fonts}</dir><cachedir>${cache}</cachedir>
    ${['sans-serif', 'system-ui', 'ui-sans-serif', 'Segoe UI'].map((family) => alias(family, 'DejaVu Sans')).join('')}
    ${['monospace', 'ui-monospace', 'SF Mono'].map((family) => alias(family, 'DejaVu Sans Mono')).join('')}
    </fontconfig>`;
}
