/** The rules that file systems have for names, as far as a name can break them. Written from the rules, not from the tool. */

/** Windows, in every folder and with every extension. */
const devices =
  /^(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|COM[0-9\u00b9\u00b2\u00b3]|LPT[0-9\u00b9\u00b2\u00b3])[ ]*(?:[.:]|$)/i;

const rules: readonly (readonly [why: string, isBroken: (name: string) => boolean])[] = [
  ['is empty', (name) => name === ''],
  ['is the folder or the one above', (name) => /^\.+$/.test(name)],
  ['holds what Windows forbids', (name) => /[<>:"/\\|?*\u0000-\u001f]/.test(name)],
  ['ends in what Windows drops', (name) => /[. ]$/.test(name)],
  ['is a device of Windows', (name) => devices.test(name)],
  [
    'is longer than 255 bytes, also as macOS spells it',
    (name) => Buffer.byteLength(name.normalize('NFD')) > 255,
  ],
  ['is longer than 255 letters of Windows', (name) => name.length > 255],
  ['is not whole Unicode', (name) => !name.isWellFormed()],
  [
    'is spelled in another way by macOS',
    (name) => name.normalize('NFC') !== name || name.normalize('NFD') !== name,
  ],
  [
    'holds what nobody sees or what macOS ignores',
    (name) => /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name),
  ],
  ['holds white space', (name) => /\s/u.test(name)],
  ['looks like an option, a home folder or a hidden file', (name) => /^[-~.]/.test(name)],
  ['means something to a shell', (name) => /[$`!&;'()[\]{}#%~]/.test(name)],
  ["is a file of the tool's own", (name) => /^(?:batch|report|failed|simulator)\./i.test(name)],
];

/** Why a name is not the same file on every system; null where it is. */
export function whyNotPortable(name: string): string | null {
  return rules.find(([, isBroken]) => isBroken(name))?.[0] ?? null;
}

/** Two names with the same one of these are one file on some system. */
export function foldedName(name: string): string {
  return name
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[. ]+$/, '');
}
