/** What the user has seen of an import. Where other processes have changed the run so that it would be another one, it is refused. */

import { UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { isAsShown, type Plan } from '../../../money/plan.ts';
import { doubtOf, type IdFacts } from '../../../money/row-identity.ts';
import type { ImportCopy, IngestOptions, JoinOptions, PlanOptions, RowOutcomes } from '../../port/import.ts';
import type { CopySession } from '../connection/copy-session.ts';
import { sentCorrections } from './known-rows.ts';

const isAnyItem = 'SELECT EXISTS (SELECT 1 FROM items) AS found';

/** What this process has still to import. */
export interface FirstImport {
  /** True where the run had no rows when the command began, and it has imported none since. */
  isDue: boolean;
}

interface Parts {
  readonly session: CopySession;
  readonly copy: ImportCopy;
  readonly first: Readonly<FirstImport>;
  /** Texts that the rows of the copy were compared with, besides those of the run. */
  readonly corrections: ReadonlySet<string>;
}

interface ShownPlan {
  readonly options: PlanOptions;
  readonly plan: Plan;
  readonly outcomes: RowOutcomes | null;
}

export class ShownImport {
  readonly #parts: Parts;
  #plan: ShownPlan | null = null;
  #facts: IdFacts | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async showPlan(options: PlanOptions, plan: Plan): Promise<void> {
    // The rows of the run came after the match, which found none: they may be the same as those of the file.
    const { copy, session } = this.#parts;
    if (!options.add && !copy.isAnyKnown && (await session.is(isAnyItem))) throw importedFirst();
    this.#plan = { options, plan, outcomes: copy.isAnyKnown ? copy.outcomes(options) : null };
  }

  showFacts(facts: IdFacts): void {
    this.#facts = facts;
  }

  /** The ids of the file may belong to other rows once some of those were sent. Counted only where it may be so. */
  async refuseNewDoubt(options: IngestOptions): Promise<void> {
    const before = this.#facts;
    if (before === null || (before.keeping > 0 && before.renumbered === 0)) return;
    const isDoubtful = (facts: IdFacts): boolean =>
      doubtOf(facts, { ...options, isSaid: false, isGuessed: true }) !== null;
    if (!isDoubtful(before) && isDoubtful(await this.#parts.copy.idFacts()))
      throw new UsageError(message('store.ids-changed'));
  }

  /**
   * Of two first files of a run one is imported. Compared with the rows of the other, which nobody knew when this command was
   * begun, this one would be an edited file where ids are the same, and take their place. Added rows change none, and may be
   * the same.
   */
  async refuseSecondFirst(join: JoinOptions): Promise<void> {
    if (!this.#parts.first.isDue || !this.#parts.copy.isAnyKnown) return;
    if (!join.add || (await this.#changesAny(join))) throw importedFirst();
  }

  async #changesAny(join: JoinOptions): Promise<boolean> {
    const { copy } = this.#parts;
    if (!copy.isAnyFound) return false;
    const plan = await copy.plan({ ...join, rerunChanged: false, only: null });
    return plan.changedUnsent + plan.changedSent + plan.renumbered > 0;
  }

  /** A row of the file may be one that was sent with a corrected text since the rows were read: it would be sent again. */
  async refuseOtherCorrections(): Promise<void> {
    const { session, corrections } = this.#parts;
    for (const name of await sentCorrections(session)) if (!corrections.has(name)) throw planChanged();
  }

  /** The plan that was shown is the one that is carried out. That rows were submitted or ended meanwhile is no other plan. */
  async refuseOtherPlan(): Promise<void> {
    if (this.#plan === null) return;
    const { copy } = this.#parts;
    const { options, plan, outcomes } = this.#plan;
    const isSame = isAsShown(plan, await copy.plan(options), options);
    if (!isSame || (outcomes !== null && !copy.outcomes(options).isAsShown(outcomes))) throw planChanged();
  }
}

function importedFirst(): UsageError {
  return new UsageError(message('run.imported-first'));
}

export function planChanged(): UsageError {
  return new UsageError(message('store.plan-changed'));
}
