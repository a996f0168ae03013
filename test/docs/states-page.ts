/** `docs/states.md`, made from the state machine. */

import { statuses } from '../../src/core/item.ts';
import { badStatuses, reservingStatuses, statusMeaning } from '../../src/core/summary.ts';
import { renderStateDiagram } from '../core/state-diagram.ts';

/** The page, with a line break at its end. */
export function renderStatesPage(): string {
  const rows = statuses.map((status) => {
    const marks = [badStatuses.has(status), reservingStatuses.has(status)].map((is) => (is ? 'yes' : ''));
    return `| \`${status}\` | ${statusMeaning[status]} | ${marks.join(' | ')} |`;
  });
  return `# What can become of a row

Made from the state machine, \`src/core/transition.ts\`; \`npx vitest run test/docs.test.ts -u\` makes it again. Every word means the same in
\`report.csv\`, in \`batch status\` and in the code. What it costs when something dies on the way:
[what each way to die costs](what-each-way-to-die-costs.md).

| status | meaning | stands in \`failed.csv\` | reserves points |
|---|---|---|---|
${rows.join('\n')}

The words beside an arrow are events, things that happened. Every legal move is drawn; one that is not drawn is refused, and leaves
the row as it was. There is one way from \`uncertain\` to a new creation: your word, \`batch resolve --not-created\`.

\`\`\`mermaid
${renderStateDiagram()}
\`\`\`
`;
}
