import { describe, expect, it } from 'vitest';
import { renderEventsSchema } from './docs/events-schema.ts';
import { renderOptionsPage } from './docs/options-page.ts';
import { renderStatesPage } from './docs/states-page.ts';

describe('the pages made from the code (`npx vitest run test/docs.test.ts -u` makes them again)', () => {
  it('docs/options.md has every command and option that the program has', async () => {
    await expect(await renderOptionsPage()).toMatchFileSnapshot('../docs/options.md');
  });

  it('docs/events.schema.json has every event that the program has', async () => {
    await expect(renderEventsSchema()).toMatchFileSnapshot('../docs/events.schema.json');
  });

  it('docs/states.md has every status and every move that the machine has', async () => {
    await expect(renderStatesPage()).toMatchFileSnapshot('../docs/states.md');
  });
});
