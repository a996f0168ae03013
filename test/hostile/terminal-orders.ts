/** Texts that make a terminal do something, or show another text than stands there. Each shows the word `mark` too. */

const esc = '\u001b';
const bell = '\u0007';

export const terminalOrders: readonly string[] = [
  // Colours, cursor, screen, modes
  ...[
    `${esc}[31mmark${esc}[0m`,
    `mark${esc}[2J${esc}[H`,
    `mark${esc}[1A${esc}[2K`,
    `${esc}[8mmark`,
    `mark${esc}[?1049h`,
  ],
  ...[
    `mark${esc}[?1000h`,
    `mark${esc}[5i`,
    `mark${esc}[6n`,
    `mark${esc}[c`,
    `mark${esc}[21t`,
    `mark${esc}[38;2;1;2;3m`,
  ],
  ...[
    `mark${esc}[4:3m`,
    `mark${esc}[`,
    `mark${esc}[999999999C`,
    `mark${esc}[>4;1m`,
    `mark${esc}[!p`,
    `mark${esc}[1;1r`,
  ],
  // Titles, links, the clipboard, notices
  ...[
    `${esc}]0;mark${bell}`,
    `${esc}]2;mark${esc}\\`,
    `${esc}]8;;https://x.example${bell}mark${esc}]8;;${bell}`,
  ],
  ...[
    `${esc}]52;c;bWFyaw==${bell}mark`,
    `${esc}]9;mark${bell}`,
    `${esc}]1337;File=inline=1:bWFyaw==${bell}mark`,
    `${esc}]mark`,
  ],
  // Strings of orders, resets, character sets
  ...[
    `${esc}P+q6d61726b${esc}\\mark`,
    `${esc}_mark${esc}\\`,
    `${esc}^mark${esc}\\`,
    `${esc}Xmark${esc}\\`,
    `mark${esc}c`,
  ],
  ...[
    `mark${esc}(0`,
    `mark${esc}#8`,
    `mark${esc}Z`,
    `mark${esc}7${esc}8`,
    `mark${esc}`,
    `${esc}${esc}[31m[31mmark`,
    `mark${esc}D`,
  ],
  // The same in single bytes of eight bits
  ...[
    '\u009b2Jmark',
    '\u009d0;mark\u009c',
    '\u0090mark\u009c',
    '\u009fmark\u009c',
    '\u0084mark',
    '\u008dmark',
    'mark\u0085',
  ],
  // What moves, rings, deletes, and breaks lines
  ...[
    `mark${bell}`,
    'mark\b\b\b\bgone',
    'mark\rgone',
    'mark\u007f',
    'mark\u000b',
    'mark\u000c',
    'mark\u000e',
    'mark\u0018',
  ],
  ...[
    'mark\nbatch: done',
    'mark\r\nbatch: done',
    'mark\u2028done',
    'mark\u2029done',
    'mark\tdone',
    'mark\u0001',
    'mark\u001a',
  ],
  // What turns text round, hides it or is not there to be seen
  ...[
    'mark\u202egpj.exe',
    '\u202dmark\u202c',
    '\u2066mark\u2069',
    '\u2067mark',
    '\u200fmark',
    '\u200emark',
    '\u061cmark',
  ],
  ...[
    'mark\u{e0001}\u{e0068}\u{e0069}\u{e007f}',
    '\ufff9mark\ufffa\ufffb',
    '\u202amark',
    '\u202bmark',
    '\u2068mark',
  ],
];
