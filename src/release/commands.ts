/** Pure. What stands beside the program in the folder: the commands, and how texts are written for Windows. */

const withWindowsLines = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');

/** As every Notepad shows a text: with the mark of UTF-8 and the line ends of Windows. */
export function forNotepad(text: string): string {
  return `\ufeff${withWindowsLines(text)}`;
}

/** `%~dp0` is the folder of the `.cmd`, with `\` at its end; in quotes it may hold anything. */
const node = '%~dp0program\\node.exe';

/**
 * `cmd` reads a `.cmd` by the code page that it finds, and 65001 is UTF-8: what is more than ASCII comes last, behind `chcp`.
 * All else is said by the program, in the language of its user.
 */
const batch = `@echo off
"${node}" "%~dp0program\\dist\\cli.js" %*
`;

const openTerminal = `@echo off
chcp 65001 >nul
title batch
set "PATH=%~dp0;%PATH%"
pushd "%~dp0"
call batch.cmd --version
echo batch run samples\\questions.csv --simulate
cmd /k
`;

/**
 * Explorer starts it with the dropped files. The words \`%1\` and \`%2\` end at an \`&\`, so the whole line goes along; its value is
 * read with \`!\`, which is not looked through for more variables. \`exit\` instead of \`exit /b\`: what stood behind an \`&\` would be
 * run as a command of its own.
 */
const dropped = (command: 'check' | 'run'): string => `@echo off
setlocal DisableDelayedExpansion
chcp 65001 >nul
title batch
set "BATCH_DROP_HERE=%~dp0"
set "BATCH_DROP_NAME=%~nx0"
set "BATCH_DROP_1=%~1"
set "BATCH_DROP_2=%~2"
if not exist "${node}" goto incomplete
setlocal EnableDelayedExpansion
set "BATCH_DROP_LINE=!cmdcmdline!"
"!BATCH_DROP_HERE!program\\node.exe" "!BATCH_DROP_HERE!program\\dropped.js" ${command}
set "BATCH_DROP_CODE=!errorlevel!"
pause >nul
if not "!cmdcmdline:%~nx0=!"=="!cmdcmdline!" exit !BATCH_DROP_CODE!
exit /b !BATCH_DROP_CODE!
:incomplete
echo Unzip the whole file first: right click, Extract All. Then start this file in the folder that was made.
echo 请先解压整个压缩包：右键，“全部解压缩”，再到解压出来的文件夹里使用这个文件。
pause
exit /b 2
`;

/** By their names, beside the folder of the program. */
export function windowsCommands(): Readonly<Record<string, string>> {
  const commands = {
    'batch.cmd': batch,
    'batch-check.cmd': dropped('check'),
    'batch-run.cmd': dropped('run'),
    'open-terminal.cmd': openTerminal,
  };
  return Object.fromEntries(Object.entries(commands).map(([name, text]) => [name, withWindowsLines(text)]));
}

/** Links are followed, so that it may be called from a folder of the PATH. */
export const unixCommand = `#!/bin/sh
me=$0
while [ -h "$me" ]; do
  to=$(readlink "$me")
  case $to in /*) me=$to ;; *) me=$(dirname "$me")/$to ;; esac
done
here=$(cd "$(dirname "$me")" && pwd -P)
exec "$here/program/node" "$here/program/dist/cli.js" "$@"
`;
