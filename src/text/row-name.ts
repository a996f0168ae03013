/** A row in a sentence, by its id: a generated id begins with `row` itself. */
export function nameRow(id: string): string {
  return id.startsWith('row-') ? id : `row ${id}`;
}
