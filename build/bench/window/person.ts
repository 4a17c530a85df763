import type { Page } from 'playwright';
import { clickToDrawn, nextFrame, take, watch } from './page.ts';

/** On a machine that is busy with other things. */
const PATIENCE_MS = 120_000;

/** A person at the window, whose waiting is measured. */
export class Person {
  readonly #page: Page;

  static async at(page: Page): Promise<Person> {
    page.setDefaultTimeout(PATIENCE_MS);
    await page.locator('[data-region="main"][aria-busy="false"]').waitFor();
    await page.evaluate(watch);
    return new Person(page);
  }

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Chooses a Session; resolves with how long it took until the row of one of its events was drawn. */
  async choose(title: string, row: string): Promise<number> {
    const drawn = this.#page.evaluate(clickToDrawn, ['[data-region="transcript"]', row, '#composer']);
    await this.#page.getByRole('treeitem', { name: title }).click();
    return drawn;
  }

  /** Presses something and resolves with how long it took until what follows was drawn. */
  async press(name: string, follows: string): Promise<number> {
    const drawn = this.#page.evaluate(clickToDrawn, [follows]);
    await this.#page.getByRole('button', { name, exact: true }).click();
    return drawn;
  }

  async say(text: string): Promise<void> {
    await this.#page.locator('#composer').fill(text);
    await this.#page.locator('#composer').press('Enter');
  }

  /** For each key, how long it took until it was drawn. */
  async type(keys: number): Promise<readonly number[]> {
    const field = this.#page.locator('#composer');
    await field.fill('');
    await this.#page.evaluate(take);
    // A fast typist.
    await field.pressSequentially('What a person types. '.repeat(keys).slice(0, keys), { delay: 60 });
    const measured = await this.#page.evaluate(take);
    return measured.keys;
  }

  /** What lasted longest of all that kept the window from drawing while `work` was done; 0 where nothing took 50 ms. */
  async longestTask(work: () => Promise<unknown>): Promise<number> {
    await this.#page.evaluate(take);
    await work();
    const { tasks } = await this.#page.evaluate(take);
    return Math.max(0, ...tasks);
  }

  /** Turns the wheel upwards in the transcript, three notches a frame: faster than anybody reads. */
  async scrollUp(turns: number): Promise<void> {
    await this.#page.getByRole('log').hover();
    for (let turn = 0; turn < turns; turn += 1) {
      await this.#page.mouse.wheel(0, -300);
      await this.#page.evaluate(nextFrame);
    }
  }
}
