/**
 * How far a cap on points may be passed: by what the service charges more than ever before for tasks that were sent before
 * anybody could know, and by nothing else.
 */

import type { Item, Quality } from '../../src/money/item.ts';
import type { Policy } from '../../src/money/policy.ts';
import { effectiveQuality } from '../../src/money/summary.ts';
import { BrokenPromise } from './oracle.ts';
import type { World } from './sim-process.ts';
import { plainId, type SimTask } from './sim-service.ts';

/** A saved attempt whose points are known. */
interface Priced {
  readonly taskId: string | null;
  readonly quality: Quality;
  readonly points: number;
}

export class PassedCap {
  readonly #world: World;
  /** What was expected of a task when it was sent, by text: the least where a text was sent more than once. */
  readonly #expected = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Claims were just saved: with the prices that are known, they fit beside all that the service has accepted. */
  checkClaims({ maxPoints }: Policy, claims: readonly Item[]): void {
    const priced = this.#priced();
    const largest = (quality: Quality): number =>
      Math.max(0, ...priced.filter((each) => each.quality === quality).map(({ points }) => points));
    for (const { key, quality } of claims) this.#expect(key, largest(effectiveQuality(quality)));
    if (maxPoints === null) return;
    const known = new Map(priced.map(({ taskId, points }) => [plainId(taskId ?? ''), points]));
    const counted = (task: SimTask): number => {
      const isFree = task.end === 'never' || task.end === 'failed';
      return known.get(task.taskId) ?? (isFree ? 0 : largest(task.quality));
    };
    const taken = [...this.#world.service.tasks.values()].reduce((sum, task) => sum + counted(task), 0);
    const more = claims.reduce((sum, { quality }) => sum + largest(effectiveQuality(quality)), 0);
    if (taken + more > maxPoints)
      throw new BrokenPromise(
        `${taken} points are or may be charged at the prices that are known and ${more} more are claimed, with a cap of ${maxPoints}`,
      );
  }

  /** Nothing is charged beyond the cap that was expected. */
  check({ maxPoints }: Policy): void {
    if (maxPoints === null || !this.#world.weather.has('dearer')) return;
    const { service } = this.#world;
    const tasks = [...service.tasks.values()];
    const charged = tasks.reduce((sum, task) => sum + service.mayCost(task), 0);
    const passed = tasks.reduce(
      (sum, task) => sum + Math.max(0, service.mayCost(task) - (this.#expected.get(task.question) ?? 0)),
      0,
    );
    if (charged > maxPoints + passed)
      throw new BrokenPromise(
        `${charged} points are charged with a cap of ${maxPoints}, and only ${passed} of them nobody could expect`,
      );
  }

  #expect(key: number, points: number): void {
    const found = this.#world.db
      .prepare<[number], { input: string }>('SELECT input FROM questions WHERE item = ?')
      .get(key);
    const text = String(JSON.parse(found?.input ?? '{}').question);
    this.#expected.set(text, Math.min(points, this.#expected.get(text) ?? points));
  }

  #priced(): readonly Priced[] {
    return this.#world.db
      .prepare<[], Priced>(
        `SELECT task_id AS taskId, coalesce(quality, 'm') AS quality, points FROM attempts WHERE points IS NOT NULL`,
      )
      .all();
  }
}
