import { chromium, expect, type Browser, type Page } from '@playwright/test';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App } from './fixtures/app.ts';
import { onePending, Question } from './fixtures/approval.ts';
import { launchBrowserHost } from './fixtures/browserHost.ts';
import { Demo } from './fixtures/demo.ts';
import { openDoor, type Door } from './fixtures/door.ts';
import { armed, choose, danger } from './fixtures/presets.ts';
import { killTree } from './fixtures/processes.ts';
import { AS_ROOT, findChromium, QUIET } from './standin/chromium.ts';

// `npm run screenshots`: goes through the offline demo in both themes and takes the pictures of the documents on the way.

const FOLDER = join(dirname(import.meta.dirname), 'docs', 'screenshots');
const SIZE = { width: 1440, height: 900 };
const SMALL = { width: 900, height: 600 };
/** Each is kept in the repository for good. */
const MOST_BYTES = 250_000;

type Theme = 'light' | 'dark';

const browser = await chromium.launch({ executablePath: findChromium(), args: [...QUIET, ...AS_ROOT] });
mkdirSync(FOLDER, { recursive: true });
try {
  for (const theme of ['light', 'dark'] as const) await withProduct(browser, theme, tellStory);
} finally {
  await browser.close();
}

interface Scene {
  readonly app: App;
  readonly page: Page;
  readonly door: Door;
  readonly theme: Theme;
}

/** A product of its own on data of its own, gone afterwards whatever happens. */
async function withProduct(within: Browser, theme: Theme, tell: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'demo-')));
  const home = join(folder, 'gatehouse');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ window: { theme } }), { mode: 0o600 });
  const owned: ChildProcess[] = [];
  const own = (child: ChildProcess): void => void owned.push(child);
  const env = { ...process.env, HOME: folder, GATEHOUSE_HOME: home };
  const options = { env, viewport: SIZE, context: { colorScheme: theme, locale: 'en-US' }, own };
  const launch = () => launchBrowserHost(options, () => Promise.resolve(within));
  const app = new App({ host: 'browser', home, launch, watch: () => undefined });
  try {
    const page = await app.start();
    await tell({ app, page, theme, door: await openDoor(page) });
  } finally {
    await app.close();
    await Promise.all(owned.map(killTree));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function tellStory(scene: Scene): Promise<void> {
  const { app, page, door } = scene;
  await expect(page.locator('[data-check="node"]')).toBeVisible();
  await take(scene, 'first-run');
  await page.getByRole('button', { name: 'Start the demo now' }).click();
  const demo = await Demo.in(page, door);
  await answer(scene);
  await demo.longProcesses(app);
  await expect(demo.card('long')).toContainText(/tick ([5-9]|\d\d)/);
  await take(scene, 'running');
  await frighten(scene);
  await clean(scene, demo);
  await show(scene, demo);
}

/** The question, also small and in Chinese; then it is allowed. */
async function answer(scene: Scene): Promise<void> {
  const { page, door, theme } = scene;
  const { approvalId } = await onePending(door);
  const question = new Question(page, approvalId);
  await question.untilArmed();
  await take(scene, 'asking');
  if (theme === 'light') {
    await page.setViewportSize(SMALL);
    await take(scene, 'asking-small');
    await page.setViewportSize(SIZE);
    await speak(door, 'zh');
    await expect(page.locator('html')).toHaveAttribute('lang', /^zh/);
    await take(scene, 'asking-chinese');
    await speak(door, 'en');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await question.untilArmed();
  await question.allow.click();
  await question.expectEnded('Allowed once.');
}

/** On the way to full access, and back. */
async function frighten(scene: Scene): Promise<void> {
  const { page } = scene;
  await choose(page, 'Full access');
  await expect(armed(page)).toBeVisible();
  await take(scene, 'danger');
  await page.keyboard.press('Escape');
  await expect(danger(page)).toBeHidden();
}

/** The switch, while what it ends is on its way; and what came of it. */
async function clean(scene: Scene, demo: Demo): Promise<void> {
  const { page } = scene;
  await choose(page, 'Read only');
  await page.keyboard.press('Control+Shift+L');
  await expect(page.locator('[data-cleanup][data-phase="released"]')).toHaveCount(1);
  await take(scene, 'cleanup');
  await demo.session.until('turn/end');
  await expect(demo.transcript).toContainText('That was all.');
  await take(scene, 'over');
}

/** What the person allowed, with its receipt; and the settings. */
async function show(scene: Scene, demo: Demo): Promise<void> {
  const { page } = scene;
  await page.keyboard.press('Control+Shift+L');
  const card = demo.card('asked');
  await demo.transcript.locator('.transcript-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
  await demo.openCard('asked');
  await expect(card.locator('[data-receipt]')).toBeVisible();
  // The list measures what has just been opened, and may move it once more.
  await expect(async () => {
    await card.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await expect(card).toBeInViewport({ ratio: 1, timeout: 500 });
  }).toPass();
  await take(scene, 'receipt');
  // A headless browser shows no notes whatever is granted; the one of a person does.
  await page.evaluate(() => Object.defineProperty(Notification, 'permission', { value: 'granted' }));
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.locator('[data-check="node"]')).toBeVisible();
  await take(scene, 'settings');
}

async function speak(door: Door, language: 'en' | 'zh'): Promise<void> {
  const { revision } = await door.request('settings.get', {});
  await door.request('settings.set', { revision, changes: { window: { language } } });
}

async function take({ page, theme }: Scene, moment: string): Promise<void> {
  // Nothing under the pointer, and no caret that is there in one picture and not in the next.
  await page.mouse.move(0, 0);
  const path = join(FOLDER, `${moment}-${theme}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide', scale: 'css' });
  const { size } = statSync(path);
  console.log(`${moment}-${theme}.png: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
