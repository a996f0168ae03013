/** What people decide about money. */

/**
 * `resolve`, `retry` and `correction` are about one row. `retry` without one continues what an earlier one ordered. `rerun` is
 * about all rows that are paid for again with another text. `key` is another API key by which the service knows the run's tasks.
 * `yes` is a plan that nobody was asked about, `agreed` one that somebody agreed to at the terminal, `unasked` one that was carried out
 * without either: there was no terminal, or too little to ask about.
 */
export const decisionKinds = [
  'resolve',
  'retry',
  'correction',
  'tune',
  'cap',
  'odd',
  'rerun',
  'key',
  'yes',
  'agreed',
  'unasked',
] as const;

export type DecisionKind = (typeof decisionKinds)[number];
