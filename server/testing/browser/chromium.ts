import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** Opens a headless Chromium with a single font family, so that pages look the same on every machine. */
export async function openBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-fonts-'));
  const file = join(folder, 'fonts.conf');
  await writeFile(file, fontSettings(join(folder, 'cache')));
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: file },
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
