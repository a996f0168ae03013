/** Finds English sentences of the program in what it said in Chinese. */

/** What may stand in any language: commands, quoted texts, options with their values, paths, addresses, names and codes of the system. */
const anyLanguage: readonly RegExp[] = [
  /`[^`]*`/g,
  /“[^”]*”/g,
  /"[^"]*"/g,
  /\bbatch [\w-]+(?: [\w./:@"'{}$%=,-]+)*/g,
  /--?[a-z][\w-]*(?:[ =](?:[A-Z]\w*(?:=[A-Z]\w*)?|[\d.]+\w*|\.?\.?\/\S+))?/g,
  /\b(?:https?|s3|postgres):\/\/\S+/g,
  /[\w.~*-]*\/[\w./*~-]+/g,
  /\b[\w-]+(?:\.[\w-]+)+\b/g,
  /\b\w*[A-Z_\d]\w*\b/g,
];

/** What the scripted service and the system say, which is quoted as it came. */
const quoted: readonly RegExp[] = [
  /Nothing to see/g,
  /Server error: Task not found/g,
  /no such file or directory, open/g,
  /address already in use/g,
  /wrong version number/g,
];

/** Two English words in a row that belong to nothing else. */
const words = /(?<![\w-])[a-z]{2,}'?[a-z]* +[a-z]+\b[^\p{Script=Han}\n]*/u;

/** The lines of a text with English of ours, without what may stand in any language. */
export function englishIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => [...quoted, ...anyLanguage].reduce((rest, what) => rest.replace(what, '·'), line))
    .filter((line) => words.test(line));
}
