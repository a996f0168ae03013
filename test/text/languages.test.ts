import { describe, expect, it } from 'vitest';
import { languageOfLocale } from '../../src/text/languages.ts';

describe('the language of the locale', () => {
  it.each([
    [{}, 'en-US', 'en'],
    [{}, 'zh-CN', 'zh'],
    [{}, 'zh', 'zh'],
    [{ LANG: 'zh_CN.UTF-8' }, 'en-US', 'zh'],
    [{ LANG: 'zh_TW' }, 'en-US', 'zh'],
    [{ LANG: 'C' }, 'zh-CN', 'en'],
    [{ LANG: 'POSIX' }, 'zh-CN', 'en'],
    [{ LANG: 'de_DE.UTF-8' }, 'zh-CN', 'en'],
    [{ LANG: 'zha' }, 'en-US', 'en'],
    [{ LC_MESSAGES: 'zh_CN', LANG: 'en_US' }, 'en-US', 'zh'],
    [{ LC_ALL: 'C.UTF-8', LC_MESSAGES: 'zh_CN', LANG: 'zh_CN' }, 'zh-CN', 'en'],
    [{ LC_ALL: '', LANG: 'zh_CN.UTF-8' }, 'en-US', 'zh'],
    [{ LANG: 'zh_CN.utf8@pinyin' }, 'en-US', 'zh'],
    [{ LANG: 'zh_CN.GBK' }, 'zh-CN', 'en'],
    [{ LC_ALL: 'zh_CN.gb18030' }, 'zh-CN', 'en'],
    [{ LANG: 'zh_TW.Big5' }, 'zh-TW', 'en'],
    [{ LC_CTYPE: 'zh_CN.GB2312', LANG: 'zh_CN.UTF-8' }, 'zh-CN', 'en'],
    [{ LC_CTYPE: 'UTF-8', LANG: 'zh_CN.UTF-8' }, 'zh-CN', 'zh'],
    [{ LC_CTYPE: 'UTF-8' }, 'zh-CN', 'zh'],
  ])('%j on a system set to %s is %s', (env, system, language) => {
    expect(languageOfLocale(env, () => system)).toBe(language);
  });
});
