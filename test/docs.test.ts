import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderOptionsPage } from './docs/options-page.ts';
import { renderFields, renderSchema, schemas, silentFields, withBlocks } from './docs/schemas.ts';
import { renderStatesPage } from './docs/states-page.ts';

describe('the pages made from the code (`npx vitest run test/docs.test.ts -u` makes them again)', () => {
  it('docs/options.md has every command and option that the program has', async () => {
    await expect(await renderOptionsPage()).toMatchFileSnapshot('../docs/options.md');
  });

  it.each(Object.entries(schemas))('docs/%s has every field that is written', async (path, schema) => {
    await expect(renderSchema(path, schema)).toMatchFileSnapshot(`../docs/${path}`);
  });

  it('docs/columns.md has every column and field, and each says what it means', async () => {
    const page = withBlocks(readFileSync('docs/columns.md', 'utf8'), renderFields());
    await expect(page).toMatchFileSnapshot('../docs/columns.md');
    expect(silentFields()).toEqual([]);
  });

  it('docs/states.md has every status and every move that the machine has', async () => {
    await expect(renderStatesPage()).toMatchFileSnapshot('../docs/states.md');
  });
});
