import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameChoices, type Status, statuses } from '../../src/money/item.ts';
import { isOverdue } from '../../src/money/tick.ts';
import { eventOf } from './lives.ts';
import { expectAllBroughtHome, expectLaws } from './one-row-laws.ts';
import { type Luck, OneRowWorld, type Task } from './one-row-world.ts';

/** The world is the model, and the row in it is what is put to the test. */
interface Life {
  readonly world: OneRowWorld;
}

/** One thing that may happen to the world; the laws are checked after each. */
class Happening implements fc.Command<Life, object> {
  readonly #name: string;
  readonly #can: (world: OneRowWorld) => boolean;
  readonly #come: (world: OneRowWorld) => void;

  constructor(name: string, can: (world: OneRowWorld) => boolean, come: (world: OneRowWorld) => void) {
    this.#name = name;
    this.#can = can;
    this.#come = come;
  }

  check({ world }: Life): boolean {
    return this.#can(world);
  }

  run({ world }: Life): void {
    this.#come(world);
    expectLaws(world);
  }

  toString(): string {
    return this.#name;
  }
}

const isIn =
  (...allowed: readonly Status[]) =>
  ({ item }: OneRowWorld) =>
    allowed.includes(item.status);
const whileSubmitting = isIn('submitting');
const hour = 3_600_000;

/** What becomes of a creation that is on its way. */
const creationEnds: readonly Happening[] = [
  new Happening('accepted', whileSubmitting, (world) => {
    world.happen(eventOf('creation-accepted', { taskId: world.make().id }));
  }),
  new Happening('refused for a while', whileSubmitting, (world) => {
    world.order.refusals += 1;
    world.happen(eventOf('creation-refused', { passing: true, retryAfterMs: world.claims * hour }));
  }),
  new Happening('accepted, but the answer is lost', whileSubmitting, (world) => {
    world.make();
    world.order.isDoubtful = true;
    world.happen(eventOf('creation-uncertain'));
  }),
  new Happening('lost on its way', whileSubmitting, (world) => {
    world.order.isDoubtful = true;
    world.happen(eventOf('creation-uncertain'));
  }),
  new Happening('accepted, and the program dies', whileSubmitting, (world) => {
    world.make();
    world.restart();
  }),
  new Happening(
    'answered late: there is a task',
    ({ item, task }) => item.status === 'uncertain' && task !== undefined,
    (world) => {
      world.order.isDoubtful = false;
      world.misses = 0;
      world.happen(eventOf('creation-accepted', { taskId: world.task?.id ?? '' }));
    },
  ),
  new Happening(
    'answered late: there is none',
    ({ item, task }) => item.status === 'uncertain' && task === undefined,
    (world) => {
      world.order.isDoubtful = false;
      world.order.refusals += 1;
      world.happen(eventOf('creation-refused', { passing: world.claims % 2 === 0 }));
    },
  ),
  new Happening('refused for good', whileSubmitting, (world) => {
    world.order.refusals += 1;
    world.happen(eventOf('creation-refused'));
  }),
  new Happening('barred: the row waits', whileSubmitting, (world) => {
    world.order.refusals += 1;
    world.happen(eventOf('creation-barred'));
  }),
  new Happening('not sent', whileSubmitting, (world) => {
    world.order.uncounted += 1;
    world.happen(eventOf('creation-not-sent'));
  }),
];

const hasTaskThat = (state: Task['state']) => (world: OneRowWorld) => world.task?.state === state;

/** What the service does by itself, unseen until it is asked. */
const serviceDoes: readonly Happening[] = [
  new Happening('a frame appears', hasTaskThat('working'), ({ task }) => {
    if (task !== undefined) task.frames += 1;
  }),
  new Happening('the task is completed', hasTaskThat('working'), ({ task }) => {
    if (task !== undefined) Object.assign(task, { state: 'completed', charge: 10 });
  }),
  new Happening('the task fails', hasTaskThat('working'), ({ task, claims }) => {
    if (task !== undefined) Object.assign(task, { state: 'failed', charge: claims % 2 });
  }),
  new Happening('the completed task fails after all', hasTaskThat('completed'), ({ task }) => {
    if (task !== undefined) task.state = 'failed';
  }),
  new Happening('the completion is taken back, or again not', hasTaskThat('completed'), (world) => {
    world.isTakenBack = !world.isTakenBack;
  }),
  new Happening('the link to the video is gone, or here again', hasTaskThat('completed'), (world) => {
    world.hasLink = !world.hasLink;
  }),
  new Happening(
    'the service forgets the task, or remembers',
    ({ task }) => task !== undefined,
    (world) => {
      world.isForgetful = !world.isForgetful;
    },
  ),
];

/** What the user orders or breaks. */
const userDoes: readonly Happening[] = [
  new Happening(
    'a retry is ordered',
    isIn('completed', 'failed', 'rejected', 'undelivered', 'lost'),
    (world) => world.orderAnew(eventOf('retry-ordered')),
  ),
  new Happening('the user says that nothing was created', isIn('uncertain', 'lost'), (world) => {
    // Said by a process that has the folder for itself.
    world.onItsWay = [];
    world.orderAnew(eventOf('not-created'));
  }),
  new Happening(
    'the user finds the task',
    ({ item, task }) => (item.status === 'uncertain' || item.status === 'lost') && task !== undefined,
    (world) => {
      world.onItsWay = [];
      world.order.isDoubtful = false;
      world.misses = 0;
      world.ordinals.clear();
      world.happen(eventOf('task-adopted', { taskId: world.task?.id ?? '' }));
    },
  ),
  new Happening('the row is edited', isIn('pending', 'rejected', 'invalid'), (world) => {
    world.order.uncounted += world.order.refusals;
    world.order.refusals = 0;
    world.happen(eventOf('question-changed', { failure: world.claims % 3 === 2 ? 'no question' : null }));
  }),
  new Happening('its image is gone', isIn('pending'), (world) =>
    world.happen(eventOf('question-unsendable')),
  ),
  new Happening('the video is deleted', isIn('completed'), (world) => {
    world.isVideoHere = false;
    world.misses = 0;
    world.happen(eventOf('file-damaged'));
  }),
];

/** What the run does in every world. */
const runDoes: readonly Happening[] = [
  new Happening('claim', isIn('pending'), (world) => world.claim()),
  new Happening('tick', isIn('open', 'downloading'), (world) => world.poll()),
  new Happening(
    'restart',
    () => true,
    (world) => world.restart(),
  ),
  new Happening(
    'hours pass',
    () => true,
    (world) => {
      world.now += 4 * hour;
    },
  ),
  new Happening(
    'waiting takes too long',
    (world) => isIn('open', 'downloading')(world) && isOverdue(world.item, world.now, world.policy),
    (world) => world.happen(eventOf('task-overdue')),
  ),
];

function times<T>(count: number, parts: readonly T[]): T[] {
  return Array.from({ length: count }, () => parts).flat();
}

const delivery = fc
  .record({ index: fc.nat(7), luck: fc.constantFrom<Luck[]>('saved', 'saved', 'refused', 'broken') })
  .map(
    ({ index, luck }) =>
      new Happening(
        `arrival ${index}, ${luck}`,
        ({ onItsWay }) => onItsWay.length > 0,
        (world) => world.deliver(index, luck),
      ),
  );

/** Everything may happen at any time; what gets a row on happens more often, so that lives are long. */
const helpful = [
  ...times(4, runDoes.slice(0, 2)),
  ...times(4, creationEnds.slice(0, 2)),
  ...times(2, serviceDoes.slice(0, 2)),
  ...times(3, userDoes.slice(0, 3)),
];
const stories = fc.commands<Life, object>(
  [
    ...[...creationEnds, ...serviceDoes, ...userDoes, ...runDoes, ...helpful].map((each) =>
      fc.constant(each),
    ),
    ...times(15, [delivery]),
  ],
  { maxCommands: 2_000, size: 'max' },
);

/** Lives each story in a world of its own, and shows how it stands in the end. */
function forEachLife(visit: (world: OneRowWorld) => void): void {
  fc.assert(
    fc.property(stories, fc.constantFrom(...frameChoices), (story, frames) => {
      const world = new OneRowWorld({ frames });
      fc.modelRun(() => ({ model: { world }, real: {} }), story);
      visit(world);
    }),
    { numRuns: 100 },
  );
}

test('whatever the service, the disk and the user do, a row is paid once an order and tells the truth', () => {
  const been = new Set<Status>();
  forEachLife((world) => {
    for (const status of world.been) been.add(status);
  });
  expect(been).toEqual(new Set(statuses));
});

test('once all goes well, each task that was charged is in the report or its row is uncertain', () => {
  forEachLife((world) => {
    world.endWell();
    expectLaws(world);
    expectAllBroughtHome(world);
  });
});
