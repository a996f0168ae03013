/** Pure. A QR code as the page of an export carries it: one row of modules after the other, each in hex. */

/** Modules that must stay white around a code. */
const quiet = 4;

/** `modules` are true where dark, without the quiet zone. */
export function packQr(modules: readonly (readonly boolean[])[]): string {
  return modules.map(packLine).join(' ');
}

function packLine(line: readonly boolean[]): string {
  let hex = '';
  for (let at = 0; at < line.length; at += 4) {
    const four = [0, 1, 2, 3].map((more) => (line[at + more] === true ? '1' : '0'));
    hex += Number.parseInt(four.join(''), 2).toString(16);
  }
  return hex;
}

/**
 * A packed code as the data of an SVG path, one unit for each module, in a square of `size` units that includes the quiet
 * zone: `<svg viewBox="0 0 SIZE SIZE"><path d="PATH"/></svg>`, dark on white.
 */
export function drawQr(packed: string): { readonly size: number; readonly path: string } {
  const lines = packed.split(' ');
  const path = lines.flatMap((line, row) =>
    [...bitsOf(line).matchAll(/1+/g)].map(
      ({ index, 0: { length } }) => `M${quiet + index} ${quiet + row}h${length}v1h-${length}z`,
    ),
  );
  return { size: lines.length + 2 * quiet, path: path.join('') };
}

function bitsOf(line: string): string {
  return line.replace(/./g, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'));
}
