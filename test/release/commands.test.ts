import { expect, it } from 'vitest';
import { forNotepad, unixCommand, windowsCommands } from '../../src/release/commands.ts';

const commands = Object.entries(windowsCommands());

it('a text for Windows has the mark of UTF-8 and its line ends, whatever it had before', () => {
  expect(forNotepad('题\nb\r\n')).toBe('\ufeff题\r\nb\r\n');
});

it('there is a command to type, one to drop tables on for the plan and for the videos, and a terminal', () => {
  expect(commands.map(([name]) => name)).toEqual([
    'batch.cmd',
    'batch-check.cmd',
    'batch-run.cmd',
    'open-terminal.cmd',
  ]);
});

it.each(commands)('%s has line ends of Windows, and is ASCII up to its last lines', (_, text) => {
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const [before = '', after = ''] = text.split(':incomplete');
  expect(before).toMatch(/^@echo off\r\n[\x00-\x7f]*$/);
  expect(after === '' || before.indexOf('chcp 65001') > 0).toBe(true);
});

it.each(commands)('%s names what lies beside it by its own folder, in quotes', (_, text) => {
  for (const [, before] of text.matchAll(/(.)%~dp0/g)) expect(before).toMatch(/["=]/);
  expect(text).not.toMatch(/set [^"]/);
});

it.each(['batch-check.cmd', 'batch-run.cmd'])(
  '%s waits for a key, and never runs what stands behind an &',
  (name) => {
    const text = windowsCommands()[name] ?? '';
    expect(text.indexOf('pause >nul')).toBeGreaterThan(text.indexOf('dropped.js'));
    expect(text).toContain('if not "!cmdcmdline:%~nx0=!"=="!cmdcmdline!" exit !BATCH_DROP_CODE!');
    expect(text).toContain(`dropped.js" ${name === 'batch-run.cmd' ? 'run' : 'check'}\r\n`);
  },
);

it('the command of the other systems hands everything on', () => {
  expect(unixCommand).toMatch(/^#!\/bin\/sh\n[\s\S]*"\$@"\n$/);
});
