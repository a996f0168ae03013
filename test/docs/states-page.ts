/** `docs/states.md`, made from the state machine. */

import { statuses } from '../../src/money/item.ts';
import { hasMark } from '../../src/money/statuses.ts';
import { statusMeaning } from '../../src/money/summary.ts';
import { eventsBetween, renderStateDiagram } from '../money/state-diagram.ts';

/** The page, with a line break at its end. */
export function renderStatesPage(): string {
  const rows = statuses.map((status) => {
    const marks = [hasMark(status, 'bad'), hasMark(status, 'reserving')].map((is) => (is ? 'yes' : ''));
    return `| \`${status}\` | ${statusMeaning[status]} | ${marks.join(' | ')} |`;
  });
  const answers = eventsBetween('uncertain', 'pending').filter((type) => type !== 'not-created');
  return `# States of a row

Every status means the same in \`report.csv\`, in \`batch status\` and in the code. For what a crash costs in each of them, see
[what each way to die costs](what-each-way-to-die-costs.md). (This page is generated from \`src/money/transition.ts\`;
\`npx vitest run test/docs.test.ts -u\` updates it.)

| status | meaning | in \`failed.csv\` | reserves points |
|---|---|---|---|
${rows.join('\n')}

Each arrow names the events that cause it. Every legal move is drawn; any other is refused and leaves the row as it was. Two ways
lead from \`uncertain\` back to \`pending\`, and so to a new creation: your own \`batch resolve --not-created\`, and the answer to the creation itself, however
late, where it says that no task was made (${answers.map((type) => `\`${type}\``).join(', ')}).

\`\`\`mermaid
${renderStateDiagram()}
\`\`\`
`;
}
