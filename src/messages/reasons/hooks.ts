/** Why the command of a hook failed, and a ping: the first is saved with the call. */

import { both } from '../both.ts';

export const hookMessages = {
  'hook.no-start': both(
    ({ failure }: { readonly failure: string }) => `it could not be started (${failure})`,
    ({ failure }) => `无法启动（${failure}）`,
  ),
  'hook.flood': both(
    () => 'it printed more than 16 MB',
    () => '它的输出超过 16 MB',
  ),
  'hook.stopped': both(
    () => 'the run was stopped',
    () => '运行已停止',
  ),
  'hook.late': both(
    ({ seconds }: { readonly seconds: number }) => `no end within ${seconds} s`,
    ({ seconds }) => `${seconds} 秒内没有结束`,
  ),
  'hook.no-program': both(
    ({ code }: { readonly code: string }) => `${code}: there is no such program`,
    ({ code }) => `${code}：没有这个程序`,
  ),
  'hook.signal': both(
    ({ signal }: { readonly signal: string }) => `ended by ${signal}`,
    ({ signal }) => `被 ${signal} 结束`,
  ),
  'hook.exit-code': both(
    ({ exitCode }: { readonly exitCode: number }) => `exit code ${exitCode}`,
    ({ exitCode }) => `退出码 ${exitCode}`,
  ),
  'hook.no-row': both(
    () => 'the row is no longer in the run',
    () => '这一行已不在运行中',
  ),
};

export const pingMessages = {
  'ping.refused': both(
    ({ place, failure }: { readonly place: string; readonly failure: string }) =>
      `${place} did not take it (${failure})`,
    ({ place, failure }) => `${place} 没有收下（${failure}）`,
  ),
  'ping.failed': both(
    ({ failure }: { readonly failure: string }) => `--ping: ${failure}; the run is as without it`,
    ({ failure }) => `--ping：${failure}；运行不受影响`,
  ),
};
