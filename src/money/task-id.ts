/** When two ids name the same task. What is stored and sent stays as the service wrote it first. */

/**
 * The same for every spelling of one task: letter case, leading zeros, and a number for a string make no other task. The
 * stores have it in SQL.
 */
export function taskKey(taskId: string): string {
  return taskId.replace(/^0+/, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function isSameTask(one: string, other: string): boolean {
  return one === other || taskKey(one) === taskKey(other);
}
